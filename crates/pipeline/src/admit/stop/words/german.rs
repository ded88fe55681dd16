//! German. Separable verbs part: "hör jetzt bitte auf".

use super::WordRole::{
    And, Ask, Bot, Cease, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, Not, Noun, Pal,
    Please, Report, Silence, Since, Spare, States, Stop, Suffice, Tag, Tail, Topic, Urge, Wait,
};
use super::WordTable;

/// What may stand within a separable verb.
const WITHIN: &str = "-, bitte, jetzt, endlich, doch, mal, sofort, schon, damit, jetzt bitte, bitte jetzt, bitte sofort, \
           jetzt endlich, endlich mal, doch mal, doch endlich, doch bitte, bitte mal, bitte endlich, jetzt mal, \
           jetzt sofort, mal bitte, mal endlich, doch jetzt, einfach, bitte damit, jetzt damit, endlich damit, \
           du, du bitte, du mal, du endlich, du jetzt, du jetzt bitte, du bitte mal, du mal bitte, \
           du jetzt endlich, sofort damit, doch einfach, halt";

pub(super) const TABLE: WordTable = &[
    (
        Stop,
        &[
            "nicht mehr weiter, nicht weiter, nicht mehr weiterschreiben, nicht weiterreden, bitte nicht weiter",
        ],
    ),
    (Laugh, &["haha, hihi, lol, xd, höhö"]),
    (
        Urge,
        &[
            "hörst, kannst, willst, könntest, würdest",
            "du",
            "-, bitte, jetzt, endlich, mal, bitte mal, jetzt bitte, jetzt endlich, wohl",
            "auf, still sein, aufhören, leise sein, ruhig sein, schweigen",
        ],
    ),
    (
        Suffice,
        &[
            "danke passt, passt danke, passt, passt so, passt schon, danke das wars, das wars, das war's, das wars danke",
        ],
    ),
    (Noun, &["mund zu mund"]),
    (Suffice, &["mehr nicht, mehr nicht danke, nicht mehr danke"]),
    (
        Tag,
        &[
            "ok, okay, oki, okey, ja, klar, verstanden, in ordnung, gell, bitte, kapiert, alles klar",
        ],
    ),
    (Stop, &["schluss, schluss jetzt"]),
    (
        Noun,
        &[
            "reicht mir mal, reicht mir das, reicht mir die, reicht mir den, reicht mir bitte, reich mir",
        ],
    ),
    (
        Spare,
        &[
            "schluss mit, schluss mit den, schluss mit dem, schluss mit der, schluss mit deinem, \
           schluss mit deinen, schluss mit diesem, schluss mit diesen, genug von, genug mit, genug von deinem, \
           genug von deinen, hör auf mit, hör auf mit dem, hör auf mit den, hör auf mit der, \
           hör auf mit deinem, hör auf mit deinen, hör auf mit deiner, hör mal auf mit, hör mal auf mit den, \
           spar dir die, spar dir den, spar dir das, spar dir deine, erspar mir die, erspar mir den, \
           erspar mir das, erspar mir deine",
        ],
    ),
    (
        Cease,
        &[
            "hör auf zu, hör auf mit, hört auf zu, hör bitte auf zu, hör jetzt auf zu, hör endlich auf zu, \
           hör mal auf zu, hör doch auf zu, kannst du aufhören zu, kannst du bitte aufhören zu, \
           kannst du mal aufhören zu, könntest du aufhören zu, willst du aufhören zu, du kannst aufhören zu, \
           schluss mit, genug mit, schluss mit dem, genug von dem, aufhören zu, aufhören mit",
        ],
    ),
    (
        Noun,
        &[
            "hör auf zu rauchen, aufhören zu rauchen, aufhören zu regnen, warte bis, warte ab, warte ich, \
           moment ich, halt dich, halt dich fest, still und starr, still und leise, ende vom, ende der, \
           ende des, schluss machen, schluss gemacht, reicht mir nicht, leise rieselt, ruhe bewahren, ruhe auf, \
           pause machen, mach pause von, egal was, egal wie, egal wo, egal wer, nichts zu, nichts als, aus dem, \
           aus der, passt auf, passt gut, passt das, passt der, passt die, passt es",
        ],
    ),
    (Silence, &["mute, ruhe, stille, still, leise"]),
    (
        Stop,
        &[
            "ich will dass du, ich möchte dass du, ich will das du, ich wünschte du würdest",
            "-, jetzt, endlich, bitte, sofort, jetzt endlich, jetzt bitte",
            "aufhörst, aufhörst zu reden, aufhörst zu schreiben, still bist, ruhig bist, leise bist, \
           die klappe hältst, den mund hältst, schweigst, aufhören, stoppst",
        ],
    ),
    (And, &["und, und jetzt"]),
    (
        Stop,
        &[
            "hör, hörst, hört, hoer, hör's, hören sie, hör ma",
            WITHIN,
            "auf, uff",
        ],
    ),
    (
        Hush,
        &[
            "hör, hört, hören sie",
            WITHIN,
            "auf",
            "zu, mit, -",
            "reden, schreiben, quatschen, labern, sabbeln, spammen, antworten, texten, erklären, quasseln, tippen, \
           erzählen, nerven, dem spam, dem gelaber, dem scheiß, dem quatsch, dem mist, dem unsinn",
        ],
    ),
    (Stop, &["brich, brecht, brechen sie", WITHIN, "ab"]),
    (Stop, &["halt, halte, haltet", WITHIN, "an"]),
    (
        Stop,
        &[
            "gib, gebt, geben sie",
            WITHIN,
            "ruhe, auf, eine ruhe, a ruah, frieden",
        ],
    ),
    (
        NeverMind,
        &["lass mal, lass ma, lasst mal, laß mal, lass mal stecken"],
    ),
    (
        Stop,
        &[
            "lass, lasst, lassen sie, laß",
            WITHIN,
            "es, das, gut sein, es gut sein, sein, es sein, das sein, bleiben, es bleiben, das bleiben, stecken, \
           mich in ruhe, mich in frieden, uns in ruhe, die scheiße, den scheiß, den quatsch, das gelaber, \
           es gut",
        ],
    ),
    (
        Stop,
        &[
            "halt, halt stopp, aufhören, aufhoeren, aufhörn, auf hören, damit aufhören, mal aufhören, \
           schluss, schluß, schluss jetzt, schluss damit, jetzt ist schluss, is schluss, mach schluss, \
           machen wir schluss, feierabend, schicht im schacht, ende, ende gelände, aus, aus jetzt, \
           jetzt ist aus, abbrechen, abbruch, anhalten, stoppen, stopp damit, einstellen, beenden, beende das, \
           beende, pack ein, mach halblang, mach mal halblang, nicht weiter, nicht weiterreden, \
           nicht weiterschreiben, nicht weitermachen, rede nicht weiter, red nicht weiter, schreib nicht weiter, \
           schreibe nicht weiter, mach nicht weiter, erzähl nicht weiter, sprich nicht weiter, \
           nicht mehr weiterschreiben, schreib nichts mehr, schreib nicht mehr, sag nichts mehr, sag nix mehr, \
           kein wort mehr, kein wort, keine nachrichten mehr, nichts mehr sagen, nichts mehr schreiben, \
           du musst nicht weiterschreiben, du musst nicht weiterreden, du brauchst nicht weiterschreiben, \
           du brauchst nicht weiterzuschreiben, du brauchst nicht weiterzureden, brauchst nicht weiterschreiben, \
           brauchst nicht weiterreden, antworte nicht mehr, antworte nicht, mehr brauche ich nicht, \
           mehr brauch ich nicht, bis hierhin, bis hierher, bis hierher und nicht weiter, schnitt, cut",
        ],
    ),
    (
        Hush,
        &[
            "halt, halte, haltet, halten sie",
            WITHIN,
            "die klappe, die fresse, die schnauze, die gosche, die goschn, die backen, die luft an, den mund, \
           den rand, den schnabel, den sabbel, das maul, dein maul, deinen mund, deine klappe, deine fresse, \
           s maul, maul, fresse, klappe, klappe zu, mund",
        ],
    ),
    (
        Hush,
        &[
            "sei, seid, seien sie, bleib",
            WITHIN,
            "still, ruhig, leise, stumm, ruhich",
        ],
    ),
    (
        Hush,
        &[
            "klappe, maul, fresse, schnauze, mund, klappe zu, fresse jetzt, klappe halten, maul halten, \
           mund halten, mund zu, die klappe halten, den mund halten, die fresse halten, schnauze halten, \
           deine klappe halten, ruhe, ruhe jetzt, ruhe da, ruhe bitte, ich will ruhe, \
           ich brauch ruhe, ein bisschen ruhe, gib mal ruhe, still, leise, stille, still sein, ruhig sein, \
           leise sein, ruhig jetzt, schweig, schweige, schweigen, schweig still, psst, pst, pscht, psch, scht, \
           sch, schh, schnabel, kusch, schnauze jetzt, verstumme, shut up, halts maul, halt's maul, hdf, \
           haltdiefresse, hdk",
        ],
    ),
    (
        Enough,
        &[
            "genug, jetzt ist genug, das ist genug, ist genug, es ist genug, is genug, das war genug, \
           mehr als genug, genug jetzt, genug davon, genug ist genug, genug gehört, genug gelesen, \
           genug geredet, genug gesagt, genug gelabert, genug geschrieben, hab genug, ich hab genug, \
           ich habe genug, ich hab genug gehört, ich habe genug gehört, hab genug gehört, ich hab genug gelesen, \
           genug für heute, genug infos, es reicht, das reicht, reicht, reicht jetzt, reichts, jetzt reichts, \
           jetzt reicht es, jetzt reicht's, das reicht jetzt, es reicht jetzt, das reicht mir, mir reicht's, \
           mir reichts, reicht mir, reicht schon, das reicht schon, das reicht dann, reicht dann, \
           das reicht völlig, das reicht vollkommen, reicht völlig, reicht vollkommen, reicht für heute, \
           das reicht für heute, das langt, langt, langt jetzt, das genügt, genügt, das genügt mir, das wars, \
           das war's, wars das, das soll reichen, das sollte reichen, das dürfte reichen, zu viel, \
           das ist zu viel, zu viel text, viel zu viel, zu lang, das ist zu lang, viel zu lang, \
           ich habs verstanden, ich hab's verstanden, habs verstanden, hab's verstanden, habs kapiert, \
           hab's kapiert, ich habs kapiert, wir habens verstanden, schon gut, ist ja gut, is ja gut, ja ist gut, \
           is gut jetzt, ist gut jetzt, jetzt ist gut, jetzt ist aber gut, gut ist, gut jetzt, passt schon, \
           ich will nichts mehr hören, ich will nix mehr hören, will nichts mehr hören, ich kann nicht mehr, \
           ich will nicht mehr, du nervst, du nervst mich, nerv nicht, nerv mich nicht, nervt, das nervt, \
           du redest zu viel, du laberst zu viel, mehr muss ich nicht wissen, mehr will ich nicht wissen, \
           brauch nicht mehr, brauche nicht mehr, ich brauch nicht mehr, ich brauche nichts mehr, \
           keine lust mehr",
        ],
    ),
    (
        Suffice,
        &[
            "nein danke, das ist alles, das wäre alles, ist gut, is gut, kein interesse, hat keiner gefragt, \
           keiner hat gefragt, keiner hat dich gefragt, hat dich keiner gefragt, hau ab, verschwinde, \
           verpiss dich, geh weg, zieh leine, geh schlafen, beruhig dich, beruhige dich, komm runter, \
           jetzt nicht, nicht jetzt, danke das wars, danke reicht, fertig, fertig jetzt",
        ],
    ),
    (
        Wait,
        &[
            "warte, warte mal, warte kurz, warte bitte, warte mal kurz, warte einen moment, \
           warte einen augenblick, warte ne sekunde, warte eine sekunde, warte mal bitte, wart, wart mal, \
           wart kurz, wartet, wartet mal, warten sie, warten sie bitte, moment, moment mal, momentchen, \
           einen moment, einen moment bitte, augenblick, einen augenblick, sekunde, eine sekunde, ne sekunde, \
           kurz warten, bitte warten, pause, mach pause, mach mal pause, mach eine pause, mach ne pause, \
           mach mal ne pause, kurze pause, stopp kurz, langsam, langsam langsam, sachte, halt kurz, halt mal",
        ],
    ),
    (
        NeverMind,
        &[
            "vergiss es, vergiss das, vergiss die frage, vergiss die sache, vergiss alles, vergesst es, vergiss meine frage, vergiss was ich gesagt habe, egal, \
           schon egal, ist egal, is egal, ach egal, ist jetzt egal, abbrechen bitte, stornieren, zurück, \
           ignorier das, ignoriere das, ignorier mich, ignorier meine nachricht, falscher chat, falscher kanal, \
           hat sich erledigt, erledigt, schon erledigt, macht nichts, nicht so wichtig, nicht wichtig, \
           ach nichts, nichts, schon okay, doch nicht",
        ],
    ),
    (
        Ask,
        &[
            "kannst du, kannst du mal, kannst, könntest du, könntest, würdest du, würdest, willst du, \
           willst du wohl, magst du, wirst du, wirst du wohl, können sie, könnten sie, würden sie, kannste, \
           kannste mal, könnteste, kann man, können wir, könnten wir, wollen wir, wärst du so nett und, \
           würde es dir was ausmachen, ist es möglich, wie wärs wenn du, warum hältst du nicht, \
           tu mir einen gefallen und, tu mir den gefallen und, sei so gut und, sei so lieb und, sei so nett und, \
           ja, ok, hm",
        ],
    ),
    (
        Please,
        &[
            "bitte, bitte bitte, biddö, bidde, büdde, bitteschön, ich bitte dich, ich flehe dich an, \
           ich fleh dich an, um gottes willen, um himmels willen, um himmelswillen, gnade, bütte, bitte sehr",
        ],
    ),
    (
        Filler,
        &[
            "jetzt, jez, jetz, nun, sofort, gleich, augenblicklich, auf der stelle, endlich, endlich mal, mal, ma, \
           doch, schon, einfach, nur, kurz, bisschen, ein bisschen, ein wenig, eben, grad, gerade, ok, okay, \
           oké, gut, na gut, nun gut, alles klar, klar, in ordnung, schön, super, prima, toll, ja, jaja, jo, \
           joa, nee, ne, nein, nö, nein nein, hey, he, hallo, ey, eh, oh, oh gott, oh mann, ohje, ach, ach komm, \
           ach mann, ach gott, ah, äh, ähm, hm, hmm, pf, pff, na, also, so, komm, komm schon, los, danke, \
           dankeschön, danke schön, danke dir, vielen dank, besten dank, thx, dank dir, danke aber, sorry, \
           tut mir leid, entschuldigung, entschuldige, verzeihung, tschuldigung, verdammt, verdammt nochmal, \
           verdammt noch mal, verflucht, scheiße, scheisse, kacke, mist, mensch, meine güte, mein gott, gott, \
           himmel, herrgott, herrgott nochmal, jesus, krass, wirklich, echt, ernsthaft, im ernst, ganz ehrlich, \
           ehrlich, bloß, wohl, halt, ein für alle mal, ein für allemal, endgültig, für heute, heute, für jetzt, \
           erstmal, erst mal, vorerst, da, dort, hier, an der stelle, an dieser stelle, damit, du, dich, wieder, \
           nochmal, ich mein es ernst, ich meins ernst, ich meine es ernst, ich hab gesagt, ich habe gesagt, \
           hab ich gesagt, sagte ich, sag ich, verstanden, hab verstanden, ich hab verstanden, \
           ich habe verstanden, ich verstehe, versteh schon, kapiert, vielleicht, besser, lieber, auch, \
           mit dem ganzen, bis später, tschüss, nu, nen moment, einen moment, eine minute, für einen moment, \
           für eine minute, fünf minuten, 5 minuten, aber, dann, wenns geht, wenn's geht",
        ],
    ),
    (
        Tail,
        &[
            "zu reden, zu schreiben, zu quatschen, zu labern, zu spammen, zu antworten, zu texten, zu nerven, \
           zu tippen, zu erklären, zu sabbeln, mit dem spam, mit dem gelaber, mit dem quatsch, mit dem scheiß, \
           mit dem mist, mit den nachrichten, mit dem text, mit dem getexte, mit dem unsinn, mit reden, \
           mit schreiben, davon, an, mit dem roman, da drin, und zwar sofort, und zwar jetzt, mit der spammerei, \
           mit diesem quatsch",
        ],
    ),
    (
        Lead,
        &[
            "du kannst, du darfst, du sollst, du solltest, du musst, du könntest, kannst gerne, du kannst gerne, \
           du kannst jetzt, kannst jetzt, ich will dass du, ich möchte dass du, ich hab gesagt du sollst, \
           ich habe gesagt du sollst, ich hab gesagt, ich sagte, ich sage, ich glaube, ich glaub, ich denke, \
           wir können, lass uns, lasst uns, zeit zum, zeit zu, es ist zeit, du sollst jetzt, am besten, \
           die, den, deine, mit dem, mit",
        ],
    ),
    (
        Pal,
        &[
            "alter, alda, digga, digger, diggah, bro, bruder, bruh, junge, jungs, mann, mädel, leute, kumpel, \
           freundchen, freund, mein freund, schatz, schatzi, süße, süßer, liebling, kinder, ihr, ihr beiden, \
           alle, idiot, depp, trottel, arschloch, wichser, spast, blödmann, du idiot, du depp, du trottel, \
           du vogel, dummkopf, chef, meister, oida, vallah",
        ],
    ),
    (
        Bot,
        &[
            "bot, robo, roboter, maschine, blechkiste, blechdose, ki, chatbot, computer, du bot, du blöder bot, \
           blöder bot, assistent, assistentin, kiste",
        ],
    ),
    (
        Since,
        &[
            "ich, ich hab, mir, mich, du bist, du hast, du, das ist, das war, das sind, das stimmt, \
           das interessiert, das will, es ist, ist mir, is mir, niemand, keiner, zu, viel zu, weil, \
           mein, meine, mein kopf, wir, hab keine, habe keine, bin, will, stimmt nicht, falsch",
        ],
    ),
    (
        Next,
        &[
            "und, sondern, stattdessen, erzähl, erzähl mir, sag, sag mir, schreib, schreibe, erkläre, erklär, \
           gib mir, mach, zeig, was, wie, warum, wieso, weshalb, wann, wo, wer, welche, welcher, weiter, \
           mach weiter, red weiter, rede weiter, schreib weiter, erzähl weiter, bis, bevor, wenn, falls, danach, \
           oder",
        ],
    ),
    (
        Not,
        &[
            "nicht, nie, niemals, kein, keine, hör nicht auf, nicht aufhören, hör bloß nicht auf, hör nie auf, \
           hör niemals auf, bitte nicht aufhören, nicht stoppen, stopp nicht, nicht anhalten, halt nicht an, \
           nicht abbrechen, brich nicht ab, nicht warten, warte nicht, nicht genug, reicht nicht, \
           das reicht nicht, es reicht nicht, sei nicht still, nicht still, nicht schlecht, ohne, gib nicht auf, \
           nicht aufgeben, ohne ende, genügt nicht, lass es nicht, nicht vergessen, vergiss es nicht, \
           vergiss das nicht",
        ],
    ),
    // Of how good something is, not that there is enough of it.
    (
        Noun,
        &[
            "gut, schön, klar, schnell, nah, groß, alt, einfach, fair",
            "genug",
        ],
    ),
    (
        Noun,
        &[
            "bushaltestelle, haltestelle, stoppschild, stopp schild, am ende, das ende, zu ende, \
           ende gut alles gut, ende gut, gut genug, groß genug, alt genug, halt so, ist halt so, is halt so, \
           das ist halt, halt mich, halt fest, hör auf mich, hör auf dein herz, hör auf ihn, hör auf sie, \
           hört auf mich, in ruhe, die ruhe, die pause, in der pause, nonstop, non stop, aus deutschland, \
           aus berlin, von mir aus, sieht gut aus, still leben, lass es krachen, lass das licht, \
           gib auf dich acht, zu viel des guten, ruhe sanft, ruhe in frieden, zurück in die, ruhig blut, \
           warte auf, reicht das, aus spaß, reicht es, mund auf, zu zweit, zu hause",
        ],
    ),
    // "No need to answer."
    (
        Stop,
        &[
            "du musst, musst, du brauchst, brauchst, brauchst mir, du brauchst mir, du musst mir, sie müssen, \
           sie brauchen, kannst dir sparen, du sollst, bitte, -",
            "nicht, nicht mehr, nichts mehr, nix mehr, mir nicht, mir nicht mehr, nicht weiter, nicht alles, \
           nicht mehr weiter",
            "antworten, weitermachen, weiterschreiben, weiterreden, weitertippen, weitererzählen, fortfahren, \
           erklären, weiter erklären, schreiben, sagen, zu antworten, weiterzumachen, fortzufahren, \
           weiterzuschreiben, weiterzureden, zu schreiben, zu erklären, zu sagen, alles erklären, ausführen, \
           auszuführen, reden, zu reden, tippen, erzählen, zu erzählen, aufzählen, aufzuzählen, posten",
        ],
    ),
    (
        Stop,
        &[
            "brich, breche, beende, stopp, stoppe, stop, unterbrich, cancel, cancle, canceln, schluss mit, \
           genug von, genug mit, hör auf mit, aufhören mit, kein, keine, keine weiteren, lass, spar dir, \
           erspar mir, erspar uns, vergiss",
            "-, die, deine, den, das, dem, diese, der",
            "antwort, antworten, nachricht, nachrichten, generierung, ausgabe, erklärung, erklärungen, \
           geschichte, aufzählung, vorgang, anfrage, text, texten, texte, textwand, monolog, vortrag, roman, \
           romane, gerede, gelaber, gequatsche, geschwafel, geschwätz, gesülze, geblubber, sermon, rest, ganze, \
           emojis, spam, spammen, flut, vorlesung, predigt, litanei, liste, unterhaltung, gespräch, thema, \
           theater, kram",
            "ab, mehr, sein, -",
        ],
    ),
    (
        Urge,
        &[
            "hörst du auf, hörst du mal auf, hörst du jetzt auf, hörst du bitte auf, hörst du endlich auf, \
           hältst du die klappe, hältst du mal die klappe, hältst du jetzt die klappe, hältst du den mund, \
           hältst du mal den mund, bist du still, bist du mal still, bist du jetzt still, \
           bist du endlich still, gibst du ruhe, gibst du mal ruhe, gibst du endlich ruhe, \
           kannst du still sein, kannst du mal still sein, kannst du aufhören, kannst du mal aufhören, \
           kannst du bitte aufhören, kannst du ruhig sein, kannst du mal ruhig sein, kannst du leise sein, \
           könntest du aufhören, könntest du still sein, könntest du ruhig sein, wann hältst du die klappe, \
           wann bist du still, willst du aufhören, willst du wohl aufhören",
        ],
    ),
    (
        Stop,
        &[
            "spar dir den rest, spar dir das, spars dir, spar's dir, spar dir die mühe, spar dir die antwort, \
           erspar mir das, erspar mir den rest, erspar mir die details, geschenkt, mach mal nen punkt, \
           mach mal einen punkt, mach nen punkt, mach einen punkt, jetzt mach aber mal halblang, mach halblang, \
           halt mal die luft an, halt die luft an, halt den ball flach, ball flach, ball flach halten, \
           flach halten, komm zum ende, komm zum schluss, jetzt is aber gut, jetzt ist aber schluss, \
           jetzt aber schluss, nu is aber gut, nun ist aber gut, nun ist aber schluss, nu is schluss, \
           jetzt is schluss, jetz is schluss, schluss aus, schluss aus ende, aus ende, schluss aus basta, \
           aus schluss, ende der durchsage, ende der diskussion, ende im gelände, aus die maus, \
           nerv jetzt nicht, zieh den stecker, stecker ziehen, mach dich aus, schalt dich aus, schalt dich ab, \
           ausschalten, abschalten, mach aus, mach feierabend, geh in die pause, leg ne pause ein, \
           leg mal ne pause ein, leg eine pause ein, gib ruh, gib ruhe, a ruah is, a ruah, lass es jetzt, \
           lass es bitte, lass es bleiben, lass mal gut sein, lass gut sein, lass stecken, lass den scheiß, \
           lass den mist, lass das gelaber, lass das jetzt, lass das mal, lass das bitte, lass mich, \
           lass mich einfach, lass mich in ruhe, lass uns in ruhe, lass uns aufhören, lass uns schluss machen, \
           nicht schreiben, nicht antworten, nicht reden, nicht mehr, mach langsam, stop it, stopp sofort, \
           sofort aufhören, sofort stopp, bremse, brems, brems dich, bremsen, zieh die bremse, \
           tritt auf die bremse, notbremse, stopptaste, hör auf jetzt, hör uff, hörma uff, heul leise, \
           chill mal, chill ma, chill, chill deine base, komm mal runter, komm ma klar, komm klar, \
           bleib mal locker",
        ],
    ),
    (
        Hush,
        &[
            "hoits maul, hoit die pappn, halt die pappn, halt die goschen, pappn, pappn halten, halt dei maul, \
           halt dein maul, halt dei fresse, halt den schlund, halt einfach die klappe, halt einfach die fresse, \
           halt einfach den mund, halt einfach, fresse halten, maul zu, mund zu jetzt, klappe jetzt, klappe da, \
           schnauze da, ruhe im karton, ruhe im saal, ruhe auf den billigen plätzen, ruhe verdammt, \
           ruhe jetzt mal, jetzt ruhe, ich will meine ruhe, ich möchte ruhe, ich hätte gern ruhe, bitte ruhe, \
           um ruhe wird gebeten, stille bitte, funkstille, schweigt, schweigen sie, sei mal leise, \
           sei mal ruhig, sei doch still, sei endlich still, sei leise, seid leise, stumm, stummschalten, mute, \
           mute dich, mach dich stumm, auf stumm, nicht so laut, weniger reden, weniger labern, weniger text, \
           laber nicht, laber nich, laber mich nicht voll, laber keinen scheiß, laber keinen mist, \
           laber nicht rum, red nicht so viel, rede nicht so viel, schreib nicht so viel, quatsch nicht, \
           quatsch nicht so viel, sülz nicht, schwafel nicht, texte mich nicht zu, text mich nicht zu, \
           zutexten, quasselstrippe, labertasche, plappermaul, quatschtante, dauerschleife, du laberst, \
           du laberst mich voll, geht das auch leiser, pscht jetzt, pssst, psssst, schhhh",
        ],
    ),
    (
        Enough,
        &[
            "passt so, passt danke, passt mir, das passt, das passt so, das passt schon, passt jetzt, \
           jo passt, ja passt, ok passt, gut so, so passt das, hab's gerafft, habs gerafft, hab's gecheckt, \
           habs gecheckt, ich habs gecheckt, ich habs gerafft, ich habe es verstanden, hab es verstanden, \
           ich hab es verstanden, wir haben es verstanden, wir habens kapiert, wir habens gecheckt, \
           zu viel info, zu viele infos, zu viel input, zu viele wörter, zu viele nachrichten, \
           viel zu viel text, so viel text, so viel wollte ich nicht, so viel wollte ich gar nicht wissen, \
           so genau wollte ich das nicht wissen, so genau wollt ichs nicht wissen, \
           das war alles was ich wissen wollte, das ist alles was ich wissen wollte, mehr wollte ich nicht, \
           mehr wollte ich nicht wissen, mehr wollt ich nicht wissen, mehr brauchts nicht, \
           mehr brauch ich nich, das war alles, mehr als ausreichend, ausreichend, das ist ausreichend, \
           vollkommen ausreichend, reicht vollauf, reicht dicke, reicht locker, das reicht dicke, \
           das reicht locker, das reicht wirklich, reicht wirklich, das tuts, das tut's, das genügt völlig, \
           das genügt jetzt, so reicht es, so reichts, so reicht das, reicht so, reicht so danke, langt so, \
           langt schon, langt danke, es langt, jetzt langts, jetzt langt's, jetzt langt es, mir langts, \
           ich kanns nicht mehr hören, ich kann es nicht mehr hören, ich kanns nicht mehr lesen, \
           ich mag nicht mehr, ich hab keinen bock mehr, kein bock mehr, keinen bock mehr, \
           hab keinen bock mehr, hab die nase voll, ich hab die nase voll, ich hab die schnauze voll, \
           schnauze voll, nase voll, du gehst mir auf den keks, du gehst mir auf den sack, \
           du gehst mir auf die nerven, das geht mir auf den sack, hab nicht gefragt, ich hab nicht gefragt, \
           ich hab dich nicht gefragt, danach hab ich nicht gefragt, hat niemand gefragt, interessiert keinen, \
           interessiert niemanden, interessiert mich nicht mehr, wen juckts, wen interessierts, tldr, tl dr",
        ],
    ),
    (
        NeverMind,
        &[
            "hab mich vertan, vertan, verklickt, vertippt, falsche frage, hab mich verschrieben, \
           hat sich geklärt, schon geklärt, hat sich schon geklärt, hat sich schon erledigt, erledigt danke, \
           hab meine antwort, ich hab meine antwort, hab die antwort, hab die antwort schon, \
           brauchs nicht mehr, brauch's nicht mehr, brauch ich nicht mehr, brauche ich nicht mehr, \
           brauch ich doch nicht, vergiss einfach, vergiss wieder, vergisses, ach vergiss es, ach lass, \
           ach lass mal, ach lass gut sein, lass einfach, lass nur, nö lass, ne lass, nee lass, nee lass mal, \
           ne lass mal, nein lass mal, doch egal, wurscht, ist wurscht, wurst, ist wurst, mir wurscht, \
           schwamm drüber, nicht mehr nötig, nicht nötig, nich nötig, unnötig, nicht mehr wichtig, \
           spielt keine rolle, spielt keine rolle mehr, hab nix gesagt, hab nichts gesagt, \
           ich hab nichts gesagt, ignorier die frage, ignoriere die frage, ignorier meine frage, \
           ignorier mich einfach, ignorieren, ignoriert das, ignorier einfach, storno, zurückziehen, \
           ich ziehe die frage zurück, nvm, ich google das, ich googel das, ich schau selbst, ich such selbst, \
           ich machs selbst",
        ],
    ),
    (
        Filler,
        &[
            "jo, joa, joar, ok ok, jaja, ja ja, ja doch, ne ne, nee nee, nein mann, boah, boa, boah ey, ey ey, \
           alter schwede, ach du scheiße, oh man, omann, maan, maaan, junge junge, uff, puh, hui, au, aua, \
           hilfe, himmel hilf, herrje, oje, jemine, kruzifix, himmelherrgott, sakra, zefix, leck mich, fuck ey, \
           ernst jetzt, im ernst jetzt, ohne witz, ohne scheiß, kein scherz, kein spaß, das ist kein scherz, \
           zum letzten mal, letztes mal, ein letztes mal, letzte warnung, ich warne dich, ich bitte drum, \
           wenn möglich, wenn du kannst, wenns geht, danke danke, danke schonmal, danke trotzdem, \
           trotzdem danke, danke nein, alles gut, alles gut danke, alles cool, cool, nice, top, geil, \
           super danke, hilfreich, sehr hilfreich, verstehe, aha, achso, ach so, gut gut, naja, nun ja, \
           wie gesagt, nochmals, noch mal, jetzt aber, jetzt echt, jetzt wirklich, jetzt ernsthaft, \
           einfach mal, einfach jetzt, gefälligst, allmählich, langsam mal, so langsam, irgendwann, \
           bitte bitte bitte, pls, biddee, biiitte, entspannt, freundlicherweise",
        ],
    ),
    (
        Since,
        &[
            "falsche, falscher, falsches, habs gefunden, hab's gefunden, gefunden, gelöst, hats, hat sich, \
           weiß schon, weiß ich schon, kenn ich schon, alle, die leute, jeder, hier, hier schlafen, mein handy, \
           mein akku, mein kopf, meine augen, meine ohren, muss, ich muss, so viel, so ein, was für ein, wird, \
           nervt, langweilig, unnötig, völlig, total, ihr",
        ],
    ),
    (
        Topic,
        &["der, eine, ein, mein, meine, dein, unser, diese, dieser"],
    ),
    (
        Next,
        &[
            "ich meinte, ich will wissen, ich wollte wissen, andere frage, neue frage, nächste frage, \
           reden wir, lass uns über, antworte auf, fass zusammen, übersetze, übersetz, fang an, \
           nochmal von vorne, von vorn, zuerst, mach es, versuch, probier, sag lieber, lieber",
        ],
    ),
    (
        Report,
        &[
            "er, sie sagt, sagte, sagt, meinte er, hat gesagt, meint, schrie, rief, lied, song, film, buch, \
           knopf, schild, bedeutet, heißt, heisst",
        ],
    ),
    (
        Enough,
        &[
            "mehr, so viel, so genau, alles andere",
            "wollte ich, wollt ich, muss ich, will ich, brauche ich, brauch ich, musste ich",
            "gar, -",
            "nicht, nich, nie",
            "wissen, lesen, hören, haben, -",
            "-, danke",
        ],
    ),
    (
        Lead,
        &[
            "ich hab doch gesagt, ich habe doch gesagt, ich hab dir gesagt, ich hab doch gesagt du sollst, \
           ich sagte doch, ich sag doch, wie oft noch, kann jemand, kann mal jemand, kann bitte jemand, jemand, \
           mach dass er, mach dass der bot",
        ],
    ),
    (
        States,
        &[
            "ist, sind, wird, werden, hat, habe, hab, bin, war, kann, will, muss, möchte, geht, macht, tut, \
           liest, braucht, schlafe, schläft, schlafen, stimmt",
        ],
    ),
    (
        Stop,
        &[
            "keine, keine weitere, keine weiteren",
            "antwort, antworten, erklärung, erklärungen, details, nachricht, nachrichten",
            "nötig, notwendig, erforderlich, mehr, mehr nötig",
        ],
    ),
    (
        Stop,
        &[
            "brich, brecht",
            "das, es, die antwort, das jetzt, es jetzt, das bitte, jetzt, bitte, mal, endlich, sofort, -",
            "ab",
        ],
    ),
    (
        Stop,
        &[
            "antwort, ausgabe, generierung, anfrage, vorgang, befehl, nachricht, die antwort, die ausgabe, das, alles, deine antwort",
            "abbrechen, stoppen, beenden, anhalten, unterbrechen, canceln",
        ],
    ),
    (
        Next,
        &[
            "kürzer, länger, einfacher, langsamer, ausführlicher, knapper, auf deutsch, auf englisch, in einem satz, kurz gesagt",
        ],
    ),
    (
        Hush,
        &[
            "jetzt mal, mal, jetzt, sei, einfach mal, bitte mal, bitte",
            "ruhig, still, leise",
        ],
    ),
    (
        NeverMind,
        &[
            "vergiss, vergesst, ignorier, ignoriere, streich",
            "was ich gesagt hab, was ich gesagt habe, was ich gefragt hab, was ich gefragt habe, meine frage, die frage, die letzte frage, meine nachricht, das alles, das wieder, was ich geschrieben hab",
        ],
    ),
    (Hush, &["ruhig, ganz ruhig"]),
    (
        Wait,
        &[
            "kleinen moment, kurzen moment, kleine sekunde, klitzekleinen moment, augenblick, einen augenblick, kurz mal, sekündchen",
        ],
    ),
];
