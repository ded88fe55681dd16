//! French. Apostrophes are read as nothing: "t'arrête" is "tarrête".

use super::WordRole::{
    And, Ask, Bot, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, Not, Noun, Pal, Please,
    Silence, Since, Stop, Suffice, Tail, Wait,
};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    (Silence, &["silence"]),
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
            "je ne veux plus, je veux plus, j'veux plus, j'ai plus envie de, je n'ai plus envie de, j'ai pas envie de",
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
        Stop,
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
           tes toi, que tu te taises, tu te tais, la ferme, ferme-la, ferme la, fermez-la, ferme ta gueule, \
           ferme ta bouche, ferme-la un peu, ferme là, la fermer, fermer ta gueule, ferme ton bec, \
           ferme ton clapet, ta gueule, ta geule, tagueule, ta yeule, tg, tgg, vos gueules, vtff, boucle-la, \
           boucle la, bouclez-la, la boucler, boucle-la un peu, mets-la en veilleuse, mets la en sourdine, \
           mets-la en sourdine, écrase, chut, chuut, chuttt, sh, shh, silence, du silence, un peu de silence, \
           silence radio, silence svp, la paix, motus, motus et bouche cousue, baisse d'un ton, \
           reste tranquille, sois silencieux, calme, du calme, un peu de calme, on se tait, ferme, \
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
    (Laugh, &["mdr, ptdr, lol, xptdr, haha, hihi, jpp"]),
    (
        Since,
        &[
            "je, j'ai, j'en, j'en ai, tu, t'es, tu es, tu me, c'est, c'était, ça, ça me, ça devient, ça sert, \
           c'est pas, ce n'est pas, on, on a, on s'en, personne, trop, parce que, pcq, car, mes, ma, mon, y'a, \
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
];
