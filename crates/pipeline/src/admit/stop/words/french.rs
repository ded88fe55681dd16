//! French. Apostrophes are read as nothing: "t'arrête" is "tarrête".

use super::WordRole::{
    And, Ask, Bot, Cease, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, Not, Noun, Pal,
    Please, Report, Silence, Since, Spare, States, Stop, Suffice, Tag, Tail, Topic, Urge, Wait,
};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    (
        Noun,
        &["la ferme du, la ferme de, la ferme des, ferme bio, une ferme"],
    ),
    (Laugh, &["mdr, ptdr, lol, xptdr, haha, hihi, jpp"]),
    (
        Noun,
        &[
            "c'est tout à fait, c'est tout à, c'est tout le, c'est tout comme, c'est tout un, c'est tout ce, c'est tout ça",
        ],
    ),
    (
        Not,
        &[
            "arrête, arrêtez, arrêtes, t'arrête, t'arrêtes, stoppe, oublie, oubliez, laisse, attends, te tais, te taire, lâche",
            "pas, jamais, surtout pas",
            "-, le, la, les, l, de, du, des, ton, ta, tes, mon, ma, mes, ça, que, ce, cette",
        ],
    ),
    (
        Noun,
        &["minute de silence, minutes de silence, minute de, minutes de"],
    ),
    (
        Noun,
        &[
            "assez de",
            "temps, argent, place, sommeil, monde, gens, nourriture, eau, sucre, force, forces, courage, preuves, points, raisons, sel, lumière, place, pain, café",
        ],
    ),
    (
        Noun,
        &[
            "ferme la, ferme le, ferme les, ferme ta, ferme tes",
            "porte, fenêtre, robinet, yeux, fichier, onglet, lumière, voiture, magasin, parenthèse, bouteille, boîte, session, fenêtres, portes",
        ],
    ),
    (
        Tag,
        &["ok, okay, oki, okey, d'accord, dac, oui, hein, compris, tu veux, c'est clair"],
    ),
    (
        Spare,
        &[
            "assez de, assez avec, assez avec les, assez avec tes, assez avec ton, stop avec, stop avec les, \
           stop avec tes, stop avec ton, stop avec la, arrête avec, arrête avec tes, arrête avec les, \
           arrête avec ton, arrête avec ta, arrête tes, arrête ton, arrête ta, arrête un peu avec, \
           arrête un peu tes, ça suffit les, ça suffit avec, ça suffit tes, marre de, marre des, marre de tes, \
           ras le bol de, ras le bol des, lâche tes, épargne-moi tes, épargne-moi les, garde tes",
        ],
    ),
    (
        Noun,
        &[
            "c'est bon ça, c'est bon à, c'est bon signe, c'est bon pour, c'est trop bon, c'est bon vas-y, \
           c'est bon continue, arrête de fumer, arrêter de fumer, arrête-moi si, stop ou encore, stop au, \
           c'est fini quand, c'est fini pour, il arrête, elle arrête, ça arrête, ça s'arrête",
        ],
    ),
    (
        Cease,
        &[
            "arrête de, arrêtez de, arrête d', arrêter de, arrêtes de, arrete de, cesse de, cessez de, \
           tu peux arrêter de, tu veux bien arrêter de, tu pourrais arrêter de, peux-tu arrêter de, stop de, \
           assez de, t'arrêtes de, faut arrêter de, faut que t'arrêtes de, merci d'arrêter de",
        ],
    ),
    (Silence, &["mute, silence"]),
    (
        Stop,
        &[
            "je veux que, je voudrais que, j'aimerais que, il faut que, faut que, je t'ai dit que, pourvu que",
            "tu, vous",
            "arrêtes, t'arrêtes, arrêtiez, stoppes, cesses, arrêtes de parler, arrêtes d'écrire",
        ],
    ),
    (
        Hush,
        &[
            "je veux que, je voudrais que, j'aimerais que, il faut que, faut que",
            "tu, vous",
            "te taises, la fermes, la boucles, vous taisiez",
        ],
    ),
    (
        Enough,
        &[
            "je ne veux plus, je veux plus, j'veux plus, j'ai plus envie de, je n'ai plus envie de, \
           j'ai pas envie de",
            "lire, entendre, savoir, t'entendre, te lire, écouter, t'écouter",
            "-, rien, ça, tout ça",
        ],
    ),
    // Of how good something is, not that there is enough of it.
    (
        Noun,
        &[
            "assez",
            "bien, clair, vite, drôle, bon, simple, cool, sympa, calme, tranquille, mal",
        ],
    ),
    (
        Noun,
        &[
            "c'est, -",
            "assez",
            "bien, bon, grand, cool, drôle, sympa, marrant, vite, parfait, super, rapidement",
        ],
    ),
    (And, &["et"]),
    (
        Stop,
        &[
            "arrête, arrete, arrêtes, arrêtez, arrêter, t'arrêter, vous arrêter, arrête-toi, arrêtez-vous, \
           arrête ça, arrêtez ça, arrête tout, arrêtez tout, arrête-toi là, on arrête, on arrête là, \
           on s'arrête là, arrêtons, arrêtons là, arrêtons-nous là, arrêt, que tu arrêtes, que tu t'arrêtes, \
           que vous arrêtiez, t'arrêtes, tu arrêtes, tu t'arrêtes, arrête un peu, arrête ton char, \
           arrête ton cirque, arrête tes conneries, arrete tes betises, arrête tes bêtises, arrête le massacre, \
           arrêt immédiat, arretez, aretes, arrette, aret, arete, stoppe, stoppez, stopper, stoppe ça, \
           stoppe tout, halte, halte là, halte-là, cesse, cessez, cesse ça, cesser, coupe, coupez, coupe court, \
           termine, termine là, abrège, abrégez, abréger, lâche-moi, lâche moi, lâche-moi la grappe, lâche-nous, \
           lache moi les baskets, fous-moi la paix, fiche-moi la paix, laisse-moi, laisse-moi tranquille, \
           laissez-moi tranquille, laisse-nous tranquilles, ne continue pas, continue pas, ne continuez pas, \
           pas la peine de continuer, pas besoin de continuer, inutile de continuer, ne dis plus rien, \
           dis plus rien, ne dites plus rien, ne parle plus, parle plus, ne parlez plus, n'écris plus, \
           écris plus, n'écris plus rien, écris plus rien, ne réponds plus, réponds plus, ne réponds pas, \
           n'envoie plus rien, envoie plus rien, n'envoie plus, n'explique plus, plus un mot, \
           pas un mot de plus, plus rien, plus de messages, pas un mot, plus de blabla, on se calme, \
           fin de la discussion, fin, fini, c'est fini, finis, terminé, c'est terminé, abandonne, interromps, \
           interromps-toi, mets fin, mets-y fin, plus jamais, stop là, freine, marque une pause",
        ],
    ),
    (
        Hush,
        &[
            "arrête, arrêtes, arrete, arrêtez, arrêter, d'arrêter, cesse, cessez, cesser, stop, assez, ça suffit, \
           assez de, marre",
            "un peu, maintenant, tout de suite, donc, -",
            "de parler, de causer, d'écrire, d'écrire autant, de répondre, d'expliquer, de spammer, de spam, \
           de discuter, d'envoyer, d'envoyer des messages, de blablater, de jacasser, de bavarder, de papoter, \
           de gueuler, de crier, de raconter, de m'embêter, de me saouler, de nous saouler, de me soûler, \
           de faire ça, de générer, de taper, de me parler, de me ping, de ping, de répéter, de compter, \
           de dire n'importe quoi, de raconter n'importe quoi, de flooder, de tchatcher, de radoter, avec ça, \
           avec tes messages, avec tes histoires, avec ce texte, avec ce spam, avec le spam, blabla, parler, \
           de parlotte, parlé, parlotte, discuté, bavardé, de dire des conneries, de m'écrire, de baratiner, \
           de délirer, de faire chier, de me faire chier, tes pavés, tes conneries, ton blabla, avec les pavés, \
           de m'emmerder",
        ],
    ),
    (
        Hush,
        &[
            "tais-toi, taistoi, tais toi, tais toi donc, te taire, vous taire, taisez-vous, tais-la, tait toi, \
           tes toi, que tu te taises, tu te tais, la ferme, fermez-la, ferme ta gueule, \
           ferme ta bouche, ferme-la un peu, ferme là, la fermer, fermer ta gueule, ferme ton bec, \
           ferme ton clapet, ta gueule, ta geule, tagueule, ta yeule, tg, tgg, vos gueules, vtff, boucle-la, \
           boucle la, bouclez-la, la boucler, boucle-la un peu, mets-la en veilleuse, mets la en sourdine, \
           mets-la en sourdine, écrase, chut, chuut, chuttt, sh, shh, silence, du silence, un peu de silence, \
           silence svp, la paix, motus, motus et bouche cousue, baisse d'un ton, \
           reste tranquille, sois silencieux, calme, du calme, un peu de calme, on se tait, \
           garde le silence, garder le silence, shut up, moins de bruit",
        ],
    ),
    (
        Enough,
        &[
            "assez, c'est assez, j'en ai assez, en voilà assez, bien assez, c'est bien assez, plus qu'assez, \
           ça suffit, ca suffit, ça suffira, suffit, ça suffit là, ça suffit comme ça, ça me suffit, ça ira, \
           ça ira comme ça, ça va comme ça, c'est bon comme ça, c'est bon là, c'est bon stop, c'est bon arrête, \
           ok c'est bon, bon c'est bon, c'est suffisant, suffisant, largement suffisant, \
           c'est largement suffisant, c'est trop, c'est trop long, trop long, trop, c'est déjà trop, \
           on a compris, ok on a compris, j'ai compris merci, c'est compris, j'ai pigé, ras le bol, ras-le-bol, \
           y'en a marre, j'en ai marre, en ai marre, marre, j'en peux plus, je n'en peux plus, j'en veux plus, \
           j'en ai ma claque, j'en ai entendu assez, j'en ai lu assez, j'en sais assez, je n'ai plus besoin, \
           j'ai plus besoin, j'ai ce qu'il me faut, j'ai ce qu'il faut, ça me va comme ça, pas besoin de plus, \
           pas la peine, c'est pas la peine, n'en dis pas plus, n'en dites pas plus, en dis pas plus, \
           n'en rajoute pas, en rajoute pas, n'en jetez plus, tu parles trop, t'es trop bavard, tu saoules, \
           tu me saoules, tu me soules, tu nous saoules, tu me fatigues, tu me gonfles, basta, stop basta, \
           je ne veux plus rien savoir, je veux plus rien savoir, je veux plus t'entendre, \
           je ne veux plus t'entendre, je ne veux plus rien entendre, bon ça va, ça va là, ok ça va, oui ça va, \
           c'est beaucoup trop, beaucoup trop, beaucoup trop long, c'est beaucoup trop long",
        ],
    ),
    (
        Suffice,
        &[
            "c'est bon, c'est tout, ce sera tout, non merci, pas maintenant, pas intéressé, ça m'intéresse pas, \
           personne t'a demandé, personne n'a demandé, personne t'a sonné, dégage, casse-toi, va-t'en, \
           va te coucher, fous le camp, calme-toi, calmez-vous, calmos, doucement, tout doux, ça y est, ça va, \
           va dormir, au panier, couché, couche panier, repos",
        ],
    ),
    (
        Wait,
        &[
            "attends, attend, attendez, attends un peu, attends une seconde, attends deux secondes, \
           attends 2 secondes, attends une minute, attends un instant, attends un moment, attends voir, \
           une seconde, une sec, une minute, un instant, un moment, minute, deux secondes, 2 secondes, \
           deux minutes, 2 sec, deux sec, minute papillon, pause, fais une pause, faites une pause, mets pause, \
           patiente, un petit instant, une petite seconde, juste une seconde",
        ],
    ),
    (
        NeverMind,
        &[
            "laisse tomber finalement, finalement laisse, finalement non, finalement laisse tomber, laisse tomber, laissez tomber, laisse béton, laisse, laisse ça, lâche l'affaire, oublie, oublie ça, \
           oublie ma question, oublie ce que j'ai dit, oubliez, oubliez ça, annule, annulez, annuler, annule ça, \
           annule tout, peu importe, tant pis, c'est pas grave laisse, rien, rien du tout, ignore, ignore ça, \
           ignore mon message, ignore-moi, mauvais salon, mauvais canal, je me suis trompé de salon, non rien, \
           nan rien, j'ai changé d'avis",
        ],
    ),
    (
        Ask,
        &[
            "tu peux, peux-tu, tu pourrais, pourrais-tu, vous pouvez, pouvez-vous, vous pourriez, pourriez-vous, \
           tu veux bien, veux-tu, veux-tu bien, vas-tu, tu vas, tu voudrais pas, tu veux pas, tu peux pas, \
           tu pourrais pas, est-ce que tu peux, est-ce que tu pourrais, est-ce que vous pouvez, \
           est-ce que vous pourriez, est-ce que tu veux bien, ça te dérange de, ça t'ennuie de, ça te dirait de, \
           possible de, c'est possible de, serait-il possible de, merci de, merci d', prière de, et si tu, \
           aurais-tu l'obligeance de, tu pourrai, tu pe, on peut, on pourrait, peut-on, tu comptes, \
           t'es capable de",
        ],
    ),
    (
        Please,
        &[
            "s'il te plaît, s'il te plait, sil te plait, s'il vous plaît, s'il vous plait, sil vous plait, \
           s'te plaît, s'te plait, steuplait, steuplé, stp, svp, stplait, pitié, par pitié, de grâce, \
           je t'en supplie, je t'en prie, je te supplie, je t'en conjure, je vous en prie, je vous en supplie, \
           je te le demande, pour l'amour de dieu, pour l'amour du ciel, je t'en pris",
        ],
    ),
    (
        Filler,
        &[
            "là, la, là là, maintenant, tout de suite, immédiatement, de suite, sur-le-champ, un peu, \
           un petit peu, un moment, un instant, une minute, une seconde, deux secondes, 2 secondes, \
           deux minutes, 2 minutes, cinq minutes, 5 minutes, ok, d'accord, dac, dacc, ouais, oui, oui oui, ui, \
           ouaip, non, nan, non non, non mais, nan mais, mais, mais non, bon, bon ben, ben, bah, bin, bien, \
           très bien, parfait, super, allez, allez hop, hop, eh, eh bien, hé, hey, hein, heu, euh, oh, ah, ho, \
           oh là, ola, aïe, pff, pfff, pfiou, rho, roh, rooh, merci, merci beaucoup, merci bien, merci mais, \
           mci, désolé, désolée, dsl, pardon, excuse, excuse-moi, excusez-moi, putain, ptn, punaise, purée, \
           merde, bordel, bordel de merde, sérieux, sérieusement, srx, franchement, vraiment, mon dieu, \
           bon dieu, bon sang, nom de dieu, nom d'un chien, seigneur, jésus, la vache, wesh, wsh, voyons, enfin, \
           juste, simplement, donc, alors, du coup, quoi, une bonne fois pour toutes, une fois pour toutes, \
           une bonne fois, pour de bon, pour de vrai, pour aujourd'hui, aujourd'hui, pour l'instant, \
           pour le moment, pour ce soir, ici, toi, vous, tu vois, j'ai dit, je t'ai dit, j'ai compris, compris, \
           je comprends, je vois, ça, c'est bon, encore, aussi, vite, rapidement, dès maintenant, quand même, \
           je suis sérieux, je rigole pas, je plaisante pas, tout, salut, tsst, zut, mince, crotte, \
           nom d'une pipe, comme ça, écoute",
        ],
    ),
    (
        Tail,
        &[
            "avec ça, avec tout ça, ta bouche, ta gueule, d'urgence, avant que, sinon, la bouche, définitivement, \
           pour toujours, là où tu es, ton blabla, tes bêtises, tes conneries, ce que tu fais, tes histoires",
        ],
    ),
    (
        Lead,
        &[
            "tu dois, tu devrais, il faut que, il faut, faut, faut que, je veux que, je voudrais que, \
           j'aimerais que, je te demande de, je te demande d', je t'ordonne de, je t'ordonne d', je t'ai dit de, \
           je t'ai dit d', je t'ai demandé de, j'ai dit, on va, tu ferais mieux de, tu ferais mieux d', \
           il est temps de, il est temps d', c'est le moment de, je crois que, je pense que, essaie de, \
           essaye de, de, d', qu'on, et, mais",
        ],
    ),
    (
        Pal,
        &[
            "mec, gars, les gars, frère, frérot, frero, reuf, gros, poto, pote, cousin, couz, copain, mon ami, \
           mon vieux, vieux, ma belle, chéri, chérie, mon grand, mon coeur, tout le monde, les amis, idiot, \
           imbécile, crétin, connard, con, abruti, débile, enfoiré, batard, patron, chef, meuf, les enfants, \
           tocard, bouffon, lourd, relou",
        ],
    ),
    (
        Bot,
        &[
            "bot, robot, le bot, le robot, la machine, machine, ia, l'ia, chatbot, intelligence artificielle, \
           assistant, sale bot",
        ],
    ),
    (
        Since,
        &[
            "je, j'ai, j'en, j'en ai, tu, t'es, tu es, tu me, c'est, c'était, ça, ça me, ça devient, ça sert, \
           c'est pas, ce n'est pas, on, on a, on s'en, personne, trop, parce que, pcq, car, y'a, \
           il y a, je suis, chui, jsuis, jcomprends, vous êtes, ça fait",
        ],
    ),
    (
        Next,
        &[
            "et, puis, ensuite, plutôt, dis-moi, dis, raconte, raconte-moi, explique, explique-moi, écris, \
           écris-moi, fais, donne, donne-moi, parle-moi, parle, montre, à la place, au lieu, comment, pourquoi, \
           quand, où, qui, quel, quelle, que, qu'est-ce que, continue, continuez, vas-y, avant de, si",
        ],
    ),
    (
        Not,
        &[
            "ne, n', ne t'arrête pas, n'arrête pas, n'arrêtez pas, n'arrête jamais, arrête pas, t'arrête pas, \
           arrête jamais, ne vous arrêtez pas, pas, jamais, ne te tais pas, te tais pas, tais toi pas, \
           n'attends pas, attends pas, ne laisse pas tomber, laisse pas tomber, pas assez, sans arrêt, \
           sans cesse, sans, non-stop pas, ne cesse pas, ne cesse de, n'oublie pas, oublie pas, n'annule pas, \
           annule pas, ne lâche pas, lâche rien, lâche pas, ça ne suffit pas, ça suffit pas, pas fini, \
           pas terminé",
        ],
    ),
    (
        Noun,
        &[
            "non stop, non-stop, l'arrêt, un arrêt, arrêt de bus, arrêt maladie, arrêt de travail, panneau stop, \
           un stop, le stop, en stop, auto stop, autostop, du stop, stop motion, en silence, le silence, \
           assez bien, assez bon, assez grand, assez cool, assez drôle, assez sympa, assez marrant, \
           une pause café, calme plat, fin de semaine, la fin, à la fin, enfin bref, chut up, attends-moi, \
           attendez-moi, trop bien, trop cool, trop fort, trop drôle, trop bon, trop beau, trop mignon, \
           trop stylé, ça va et toi, ça va bien, de rien, rien que, trop de la balle, ça va toi",
        ],
    ),
    // "No need to answer."
    (
        Stop,
        &[
            "pas besoin de, pas besoin d', t'as pas besoin de, tu n'as pas besoin de, tu n'as pas à, \
           t'as pas à, inutile de, inutile d', pas la peine de, pas la peine d', c'est pas la peine de, \
           c'est pas la peine d', ce n'est pas la peine de, ce n'est pas la peine d', c'est inutile de, \
           tu peux éviter de, évite de, évite d', te fatigue pas à, ne te fatigue pas à, pas nécessaire de, \
           pas obligé de, t'es pas obligé de, tu n'es pas obligé de, épargne-moi, épargne-nous",
            "continuer, répondre, développer, expliquer, écrire, finir, en dire plus, me répondre, t'étendre, \
           détailler, poursuivre, tout expliquer, tout détailler, parler, plus, d'en dire plus, la suite, \
           le reste, les détails, tes explications, ton discours",
        ],
    ),
    (
        Stop,
        &[
            "annule, annulez, arrête, arrêtez, stoppe, stop, coupe, interromps, abrège, abandonne, assez de, \
           assez avec, stop avec, arrête avec, fini, marre de, ras le bol de, plus de, trop de, ça suffit avec",
            "-, la",
            "réponse, réponses, génération, message, messages, texte, textes, explication, explications, \
           histoire, histoires, demande, requête, discussion, baratin, blabla, pavé, pavés, roman, romans, \
           monologue, cours, discours, bavardage, bavardages, emojis, émojis, spam, flood, conversation, bruit, \
           charabia, tirade, leçon, morale, cirque, délire, parlote, processus, machine, enregistrement",
        ],
    ),
    (
        Urge,
        &[
            "t'arrêtes, t'arrêtes un peu, tu t'arrêtes, tu arrêtes, tu arrêtes un peu, t'arrêtes de parler, \
           tu te tais, tu te tais un peu, tu la fermes, tu la boucles, vous arrêtez, vous vous taisez, \
           tu vas te taire, tu vas arrêter, vas-tu te taire, tu veux pas te taire, tu peux te taire, \
           peux-tu te taire, tu peux la fermer, tu peux t'arrêter, quand est-ce que tu te tais",
        ],
    ),
    (
        Stop,
        &[
            "vas-y, vasy, azy, vazy, allez, bon allez",
            "arrête, stop, tais-toi, laisse tomber, ferme-la, c'est bon arrête, c'est bon stop, lâche-moi, \
           ta gueule, laisse",
        ],
    ),
    (
        Stop,
        &[
            "arrête là, arrêtez là, on arrête tout, on arrête ça, on arrête les frais, arrête les frais, \
           on en reste là, restons-en là, on va s'arrêter là, on va en rester là, tu peux arrêter, \
           tu peux arrêter là, tu peux t'arrêter là, tu peux stopper, vous pouvez arrêter, \
           arrête un peu ton cirque, arrête-toi un peu, arrête immédiatement, arrête direct, arrête toi direct, \
           stoppe-toi, stop maintenant, stop stop stop, stp stop, coupe le son, coupe le micro, \
           coupe-lui le micro, coupe, mets en pause, mets sur pause, freine un peu, lève le pied, met un frein, \
           n'insiste pas, insiste pas, n'en fais pas plus, en fais pas trop, n'en fais pas trop, ne dis rien, \
           dis rien, ne parle pas, parle pas, n'écris pas, écris pas, n'ajoute rien, ajoute rien, \
           ne réponds plus à ça, lâche le clavier, pose le clavier, fin de l'histoire, point final, \
           point barre, un point c'est tout, terminus, fini de parler, fini de jouer, on ferme, on remballe, \
           débranche, débranche-toi, éteins-toi, éteins ça, va te reposer, repose-toi, dodo, au dodo, oust, \
           ouste, du balai, fais pas chier, me fais pas chier, casse pas les pieds, me casse pas les pieds, \
           nous casse pas les pieds, fiche-nous la paix, fous-nous la paix, lâche-moi un peu, \
           lâche-nous un peu, lâche-moi les basques, lâche nous la grappe, laisse-nous respirer, \
           laisse-moi respirer",
        ],
    ),
    (
        Hush,
        &[
            "ta bouche, ta bouche bébé, tge, tggg, ferme ton clapet, ferme-la deux minutes, ferme ta boîte, \
           ferme ton claque merde, ferme ta grande bouche, ferme ta bouche un peu, ferme un peu ta gueule, \
           la ferme un peu, ferme-la stp, boucle-la stp, clos ton bec, bouche cousue, bouche fermée, \
           tiens ta langue, avale ta langue, plus un bruit, pas un bruit, fais silence, faites silence, \
           faites-le taire, un peu de silence svp, je veux du silence, je veux la paix, moins fort, \
           parle moins, cause moins, mute, mute-toi, mets-toi en mute, en sourdine, baisse le volume, \
           baisse le son, chut chut, chhht, chht, tais-toi un peu, tais-toi 2 minutes, taisez-vous un peu, \
           tu parles trop, tu causes trop, quel bavard, quelle pipelette, pipelette, moulin à paroles, \
           vous me fatiguez, tu fatigues, silence là dedans",
        ],
    ),
    (
        Enough,
        &[
            "c'est bon, ok c'est bon, oui c'est bon, stop, merci, ok merci, ok",
            "j'ai ma réponse, j'ai eu ma réponse, j'ai la réponse, j'ai trouvé, j'ai ce qu'il me faut, \
           on a compris, j'ai ce que je voulais, j'ai capté, j'ai saisi, t'as répondu, j'en ai assez, \
           j'ai lu assez, j'ai assez lu, j'en ai assez lu, j'ai vu assez, j'ai pigé, j'ai tout compris, \
           j'ai plus besoin",
        ],
    ),
    (
        Enough,
        &[
            "c'est tout ce que je voulais, c'est tout ce que je voulais savoir, c'est tout ce qu'il me fallait, \
           c'est tout ce qu'il me faut, c'est tout ce dont j'avais besoin, c'est largement assez, \
           c'est amplement suffisant, amplement suffisant, ça fera l'affaire, ça suffit amplement, \
           ça suffit largement, ça suffit pour aujourd'hui, ça suffit bien, ça me suffit amplement, \
           suffit comme ça, ça ira merci, ça va aller merci, ça va merci, ok ça suffit, bon ça suffit, \
           j'en ai lu assez, j'en demandais pas tant, je t'en demandais pas tant, je t'ai pas demandé ça, \
           j'ai pas demandé, j'ai rien demandé, on t'a rien demandé, on t'a pas sonné, \
           j'ai pas demandé tout ça, quel pavé, vla le pavé, pavé césar, trop de texte, trop de blabla, \
           trop de mots, trop d'infos, trop d'informations, c'est trop de texte, c'est long, c'est super long, \
           c'est hyper long, c'est interminable, interminable, tu nous fatigues, tu me gaves, tu gaves, \
           tu nous gaves, ça me gave, tu m'emmerdes, tu fais chier, ça me saoule, ça saoule, tu me les brises, \
           ça commence à bien faire, ça commence à faire, y en a assez, y en a marre, j'en ai ras le bol, \
           j'en ai ras le cul, ras la casquette, gavé, on a saisi, on a pigé, ouais on a compris, \
           c'est bon on a compris, c'est bon on a pigé, j'ai eu mon compte, n'en jetez plus la cour est pleine",
        ],
    ),
    (
        Suffice,
        &[
            "j'ai ma réponse, j'ai eu ma réponse, plus besoin, pas besoin, c'est bon merci, ça ira, \
           tout doux bijou, calme ta joie, tranquille, on se détend, détends-toi, respire, relax, bonne nuit, \
           va jouer ailleurs, va voir ailleurs, dehors, sors",
        ],
    ),
    (
        NeverMind,
        &[
            "laisse va, laisse stp, laisse tomber va, laisse tomber mec, laisse tombé, laisse tombe, \
           laisse pisser, laisse courir, oublie tout, oublie la question, oublie ce que j'ai demandé, \
           oublie que j'ai demandé, oublie va, annule la question, annule ma question, annule ma demande, \
           annule la demande, annule tout ça, ignore la question, ignore ma question, ignore ce que j'ai dit, \
           fais comme si j'avais rien dit, j'ai rien dit, rien laisse, non laisse, nan laisse, \
           nan laisse tomber, non oublie, nan oublie, bref laisse, bref laisse tomber, bref oublie, pas grave, \
           c'est pas grave, osef, on s'en fout, on s'en fiche, m'en fous finalement, je me suis trompé, \
           je me suis trompée, trompé de question, trompé de salon, mauvaise question, erreur, fausse manip, \
           nvm, je vais chercher, je cherche moi-même, je me débrouille, je vais me débrouiller",
        ],
    ),
    (
        Filler,
        &[
            "roh la la, oh la la, olala, ohlala, rolala, oulah, houla, oula, ouh, ouf, wsh, tranquilou, ok ok, \
           oui oui oui, non non non, nan nan, d'acc, daccord, okay, bref, voilà, super merci, merci merci, \
           mille mercis, merci à toi, désolé mais, pardon mais, excuse mais, sans vouloir te vexer, \
           avec tout le respect, steuplaît, stpp, stppp, svpp, pitié pitié, au secours, à l'aide, aidez-moi, \
           sérieux quoi, genre, grave, de ouf, wallah, wesh alors, frr, frerot, ma parole, la con de, \
           oh putain, putain mais, oh merde, bordel mais, nom de nom, sapristi, diantre, fichtre, \
           mon dieu mais, jésus marie, ça va ça va, pour la dernière fois, dernière fois, je répète, \
           je le redis, 2 min, 5 min, deux min, une min, 2s, 2 sec",
        ],
    ),
    (
        Since,
        &[
            "j'ai trouvé, j'ai résolu, c'est réglé, tout le monde, les gens, mauvaise, erreur, je me suis, \
           j'essaie, j'essaye, j'dois, faut que je, ma tête, mes yeux, mes oreilles, mon tel, mon téléphone, \
           t'as, tu spam, tu spammes, tu floods, tu racontes, tu dis, tu écris, tu parles, vous, ils, \
           c'est trop, c'est n'importe",
        ],
    ),
    (
        Topic,
        &["le, les, un, une, des, la, l', ton, ta, tes, ce, ces, cette, ma, mon"],
    ),
    (
        Next,
        &[
            "je voulais dire, je veux savoir, autre question, nouvelle question, change, parlons, réponds à, \
           résume, traduis, commence, recommence, en fait je veux, d'abord, tu peux continuer, vas-y continue, \
           vas-y raconte",
        ],
    ),
    (
        Report,
        &[
            "il, elle, ils, elles, a dit, dit que, disait, m'a dit, lui, criait, chanson, paroles, film, \
           bouton, panneau, veut dire, signifie, s'appelle, livre",
        ],
    ),
    (
        Stop,
        &[
            "ça suffit, ca suffit, stop, assez, fini, marre, ras le bol",
            "-, avec, de",
            "les, ces, tes, des",
            "pavés, romans, messages, blagues, conneries, bêtises, emojis, explications, spams, détails, \
           discours, histoires",
        ],
    ),
    (
        Lead,
        &[
            "je t'ai déjà dit de, je t'ai déjà dit d', j'ai déjà dit, je t'ai déjà dit, j'ai dit de, \
           puisque je te dis de, quelqu'un peut, faites que, que quelqu'un",
        ],
    ),
    (
        States,
        &[
            "est, sont, a, ai, as, ont, fait, va, vais, peut, peux, veux, dort, dorment, suis, étais, était, \
           marche, bug, rame, devient, dit, dois",
        ],
    ),
    (Stop, &["ferme-la, ferme la, ferme là"]),
    (Stop, &["ferme"]),
    (
        Next,
        &[
            "plus court, plus simple, plus long, plus lentement, plus clair, en bref, en français, en anglais, résume",
        ],
    ),
    (
        Stop,
        &[
            "réponds pas, répond pas, continue pas, écris pas, parle pas, envoie pas, n'envoie pas, explique pas, n'explique pas, ne parle pas, n'écris pas, insiste pas, n'insiste pas",
            "-, plus, davantage, stp",
        ],
    ),
    (
        Hush,
        &[
            "arrête, arrêtez, cesse, cessez, stop",
            "de",
            "me répondre, nous répondre, me parler, nous parler, m'expliquer, me raconter, m'envoyer, m'expliquer ça, répondre à tout",
        ],
    ),
    (
        Enough,
        &[
            "je, j",
            "veux, voudrais",
            "plus, plus rien",
            "entendre, lire, savoir, voir, écouter",
        ],
    ),
    (
        Stop,
        &[
            "pas de, aucune, plus aucune, pas besoin de, pas besoin d'une, sans",
            "réponse, réponses, explication, explications, message, messages, détails, suite",
        ],
    ),
];
