//! Portuguese. "Para" is also "for", "chega mais" means come closer.

use super::WordRole::{
    And, Ask, Bot, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, No, Not, Noun, Pal, Please,
    Silence, Since, Stop, Suffice, Tail, Wait,
};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    (Silence, &["silêncio"]),
    (
        Stop,
        &[
            "não, não precisa, não precisas, nem, nem precisa, já não, não precisa mais, não é pra, \
           não quero que você",
            "fala, fale, falar, fales, escreve, escreva, escrever, responde, responda, responder, manda, mande, \
           mandar, explica, explique, explicar, continua, continue, continuar, diga, diz, dizer, me manda, \
           me mande, envia, envie, enviar",
            "-, mais, nada, mais nada, tanto, nada mais, mais não",
        ],
    ),
    (
        Enough,
        &[
            "não quero, eu não quero, nao quero, já não quero",
            "-, mais",
            "ler, ouvir, saber, escutar, te ouvir, te ler",
            "-, mais, isso, mais isso, nada, mais nada, disso, nada disso",
        ],
    ),
    (And, &["e"]),
    (
        Stop,
        &[
            "para, pára, pare, parem, parar, parou, paro, para aí, pare aí, para já, pare já, para tudo, \
           pare tudo, para com isso, pare com isso, para com essa, para quieto, para agora, pare agora, \
           parada aí, parado, parado aí, que pare, quero que pare, quero que você pare, que pares, alto, \
           alto aí, alto lá, deixa disso, deixe disso, larga disso, larga mão, larga a mão, me deixa em paz, \
           deixa-me em paz, deixe-me em paz, sai fora, encerra, encerre, encerrar, encerra por aqui, encerra aí, \
           finaliza, interrompe, interrompa, corta, corta essa, corta aí, acaba com isso, acabe com isso, \
           acaba logo, acabou, acabou já, freia, breca, não continua, não continue, não continues, \
           não precisa continuar, não precisa mais, não precisa, não precisa falar mais, não precisa responder, \
           não precisa responder mais, não precisa explicar mais, não precisas continuar, nem precisa continuar, \
           nem continua, não fala mais, não fale mais, não fala, não fale, não fala mais nada, \
           não fale mais nada, não diga mais nada, não diz mais nada, não digas mais nada, não escreve mais, \
           não escreva mais, não escrevas mais, não manda mais, não mande mais, não mande mais nada, \
           não responde mais, não responda mais, não responde, não responda, não explica mais, \
           nem mais uma palavra, nem mais um pio, nenhuma palavra a mais, sem mais, chega de papo, \
           chega de conversa, chega de texto, chega de falar, chega de mensagem, chega de mensagens, \
           chega de spam, chega de escrever, chega disso, fim, fim de papo, fim de conversa, aborta, abortar, \
           por aqui já tá bom, até aí, até aqui, dá um tempo, me dá um tempo, dá um tempo aí",
        ],
    ),
    (
        Stop,
        &[
            "para, pare, parar, pára, parem, deixa, deixe, chega, cesse, vamos parar, larga",
            "já, um pouco, logo, aí, -",
            "de falar, de escrever, de responder, de explicar, de spammar, de spamar, de mandar mensagem, \
           de mandar mensagens, de mandar, de enviar, de encher, de encher o saco, de me encher, de tagarelar, \
           de conversar, de digitar, de gerar, de gritar, de repetir, de contar, de enrolar, de fazer isso, \
           com isso, com essa merda, com esse spam, com essa porra, com esse papo, com esse texto, \
           com a palhaçada, com essa palhaçada, de graça, de palhaçada, de falar merda, de falar besteira, \
           de chatear, de me chatear, de ser chato, de incomodar, de flodar, de floodar, de floodar o chat, \
           de fazer textão, de textão, de falar tanto, de escrever tanto, de zoar, de chateação, de frescura, \
           de blá blá blá, de blablabla, de encheção, de encher linguiça, de papear, de perturbar, \
           de tagarelice, a falar",
        ],
    ),
    (
        Hush,
        &[
            "cala a boca, cale a boca, cala a boca logo, cala boca, calaboca, cala essa boca, cala a tua boca, \
           cala-te, cala te, te cala, cale-se, cale se, calem-se, calado, calada, caladinho, calar, \
           calar a boca, se calar, te calar, cala a matraca, fecha a boca, fecha essa boca, feche a boca, \
           fecha a matraca, fecha o bico, fechar a boca, fecha a cloaca, bico fechado, bico calado, cala o bico, \
           fica quieto, fica quieta, fique quieto, fique quieta, fica calado, fica calada, fique calado, \
           ficar quieto, ficar calado, ficar quieta, quieto, quieta, quietinho, quietinha, sossega, \
           sossega o facho, sossegado, silêncio, faz silêncio, faça silêncio, fazer silêncio, \
           um pouco de silêncio, xiu, shiu, psiu, chiu, sh, shh, boca fechada, engole o choro, cala aboca, \
           cl boca, cala bok, calaaboca, shut up, fica na tua, baixa a bola, abaixa o tom, sem barulho, \
           nem um pio, menos barulho",
        ],
    ),
    (
        Enough,
        &[
            "chega, já chega, ja chega, chega já, chega né, chega por hoje, chegaa, por hoje chega, basta, \
           já basta, basta já, agora chega, agora basta, deu já, já deu, já deu né, deu né, deu por hoje, \
           tá bom já, já tá bom, já está bom, tá bom assim, está bom assim, tá bom por hoje, tá ótimo já, \
           é o suficiente, é suficiente, já é suficiente, suficiente, mais que suficiente, isso é suficiente, \
           o suficiente, já foi o suficiente, já foi suficiente, isso basta, isso já basta, só isso basta, \
           isso já tá bom, assim já tá bom, já entendi, já entendi tudo, entendi já, eu já entendi, já saquei, \
           já sei, já percebi, já chega disso, tá bom chega, demais, já é demais, é demais, texto demais, \
           muito texto, textão demais, cansei, já cansei, me cansei, tô cheio, tô de saco cheio, \
           to de saco cheio, estou farto, tô farto, estou farta, não quero mais, não quero mais saber, \
           não quero saber mais, não quero ouvir mais, não quero ler mais, não quero mais nada, \
           não preciso mais, não preciso de mais, não preciso de mais nada, não aguento mais, \
           ninguém aguenta mais, ninguém aguenta, fala demais, você fala demais, tu fala demais, falas demais, \
           já tenho o que preciso, já tenho o que precisava, era só isso, é só isso, só isso mesmo, \
           por hoje é só, chegou, tá repreendido",
        ],
    ),
    (
        Suffice,
        &[
            "deu, só isso, é isso, não obrigado, não obrigada, ninguém perguntou, ninguém te perguntou, sai daqui, \
           vaza, vai embora, some, some daqui, vai dormir, agora não, não me interessa, tanto faz já, calma, \
           calma aí, calma lá, se acalma, acalma, segura, segura a onda, segura aí, menos, bem menos, menas",
        ],
    ),
    (
        Wait,
        &[
            "espera, espera aí, espera lá, espere, espere aí, esperem, espera um pouco, espera um momento, \
           espera um segundo, espera um minuto, espera um instante, pera, péra, pera aí, peraí, perai, peraê, \
           pera lá, perae, um momento, um momentinho, um segundo, um segundinho, um minuto, um minutinho, \
           um instante, momento, momentinho, só um momento, só um minuto, só um segundo, só um instante, \
           aguarda, aguarde, aguenta, aguenta aí, guenta aí, pausa, dá uma pausa, pause, peraaa, calmaí, um seg",
        ],
    ),
    (
        NeverMind,
        &[
            "esquece, esqueça, esquece isso, esqueça isso, esquece o que eu disse, esquece o que eu falei, \
           esquece que eu perguntei, deixa pra lá, deixa para lá, deixe pra lá, deixa quieto, dxa quieto, deixa, \
           deixa isso, cancela, cancele, cancelar, cancela isso, cancela aí, não importa, não importa mais, \
           não é nada, nada não, tanto faz, ignora, ignora isso, ignore, ignora minha pergunta, mudei de ideia, \
           canal errado, chat errado, errei o chat, anula, desconsidera, desconsidere",
        ],
    ),
    (
        Ask,
        &[
            "pode, podes, você pode, vc pode, tu pode, cê pode, dá pra, dá pra você, dá pra vc, tem como, \
           tem como você, poderia, podia, você poderia, vc poderia, será que pode, será que dá pra, \
           será que você pode, será que você poderia, quer, queres, você quer, vc quer, quer fazer o favor de, \
           faz o favor de, faça o favor de, faz favor de, me faz o favor de, me faz um favor e, por que não, \
           que tal, que tal você, importa-se de, você se importa de, você se importaria de, consegue, \
           você consegue, vai, dava pra",
        ],
    ),
    (
        Please,
        &[
            "por favor, porfavor, pfv, pfvr, pf, pff, pfvor, por fvr, favor, faz favor, se faz favor, sff, \
           pelo amor de deus, pelamor, pelo amor, eu imploro, te imploro, imploro, te peço, peço, eu te peço, \
           por gentileza, por caridade, porfa, plmdds, pelamordedeus, pelo amor de jesus, na humildade",
        ],
    ),
    (
        Filler,
        &[
            "já, ja, aí, ai, ae, agora, agora mesmo, logo, imediatamente, neste instante, nesse instante, \
           de uma vez, duma vez, um pouco, um pouquinho, pouco, um tempo, por um tempo, por um momento, \
           por enquanto, por hoje, hoje, né, viu, tá, ta, tá bom, ta bom, tá bem, tudo bem, tá certo, certo, \
           beleza, blz, ok então, então, ei, ô, oi, oie, opa, olha, olhe, escuta, bom, bem, sim, ah, aff, afff, \
           afe, ai ai, ui, nossa, nossa senhora, meu deus, meu deus do céu, deus, jesus, credo, cruzes, caramba, \
           caraca, caralho, carai, krl, crl, porra, pqp, puta que pariu, puta merda, merda, droga, pô, po, poxa, \
           putz, na moral, nmrl, sério, serio, sério mesmo, de verdade, mesmo, só, apenas, lá, ali, aqui, \
           por aqui, por aí, por ali, obrigado, obrigada, obg, obgd, brigado, brigada, valeu, vlw, grato, agradeço, desculpa, \
           desculpe, foi mal, com licença, você, vc, tu, ce, entendi, entendido, saquei, legal, perfeito, ótimo, \
           maravilha, isso, isso aí, rápido, rapidinho, um segundo, um minuto, um momento, 5 minutos, \
           uns minutos, falei, eu disse, eu falei, tô falando sério, to falando serio, é sério, vamo, vamos, \
           bora, anda, por deus, até logo, tchau, simplesmente, finalmente, total, rs",
        ],
    ),
    (
        Tail,
        &[
            "disso, com isso, tudo, nisso, a boca, essa boca, de vez, pra sempre, o quanto antes, antes que, \
           te peço, eu te imploro, te falar, demais",
        ],
    ),
    (
        Lead,
        &[
            "eu quero que você, quero que você, quero que vc, preciso que você, preciso que vc, quero que, \
           preciso que, mandei você, mandei, eu mandei, eu mandei você, eu disse pra, eu falei pra, falei pra, \
           falei pra você, disse pra você, já falei pra, tem que, você tem que, você deve, você devia, deveria, \
           é hora de, tá na hora de, está na hora de, hora de, vamos, gostaria que você, gostaria que, \
           eu gostaria que você, acho que, eu acho que, melhor, é melhor, é melhor você, se, e, faz, te",
        ],
    ),
    (No, &["não, nao, n, nn, não não, nops, naum, nem"]),
    (
        Pal,
        &[
            "mano, mana, cara, meu, véi, vei, véio, velho, irmão, irmao, parça, brother, amigo, amiga, gente, \
           galera, pessoal, filho, filha, menino, menina, moço, moça, rapaz, fi, querido, querida, amor, \
           meu amor, meu filho, minha filha, chato, chata, idiota, burro, otário, imbecil, desgraça, desgraçado, \
           filho da puta, fdp, arrombado, bicho, seu chato, seu bot, praga, mala, miga, guri, piá, bixo, maluco, \
           doido, colega, pá, gajo",
        ],
    ),
    (
        Bot,
        &[
            "bot, robô, robo, robozinho, botzinho, máquina, inteligência artificial, ia, chatbot, assistente, \
           seu robô",
        ],
    ),
    (
        Laugh,
        &["kkk, kkkk, kkkkk, k, haha, rsrs, rs, hahaha, ksks, kakaka"],
    ),
    (
        Since,
        &[
            "eu, tô, to, estou, tou, você, vc, tu, tá muito, está muito, tá ficando, é muito, isso é, isso está, \
           isso tá, não é isso, não foi isso, não quero, não entendi, ninguém, ninguem, meu, minha, muito, \
           demais, porque, pq, já estou, já tô, me, tá chato, ta chato, tá errado",
        ],
    ),
    (
        Next,
        &[
            "e, mas, me fala, me diz, me conta, fala de, fala sobre, diz, conta, explica, escreve, faz, faça, \
           em vez, ao invés, o que, o quê, que, como, por que, quando, onde, quem, qual, continua, continue, \
           depois, se, até que, agora me",
        ],
    ),
    (
        Not,
        &[
            "nunca, jamais, não pare, não para, não pares, não parem, não pára, nao para, não cala, não se cale, \
           não te cales, não espere, não espera, não esquece, não esqueça, sem parar, não chega, não basta, \
           não é suficiente, sem, não consigo, não deixa, não encerre, não encerra, não cancela, não cancele",
        ],
    ),
    (
        Enough,
        &[
            "já é, é, já foi, isso é, isso já é, já tá, já está",
            "o bastante, o suficiente, suficiente, bom de texto, bom de papo",
        ],
    ),
    (
        Enough,
        &[
            "tá bom de, está bom de, já tá bom de",
            "texto, papo, conversa, explicação, mensagem",
        ],
    ),
    // Of how good something is, not that there is enough of it.
    (
        Noun,
        &[
            "bastante",
            "bem, bom, claro, melhor, legal, interessante, rápido, certo",
        ],
    ),
    (
        Noun,
        &[
            "para mim, pra mim, para ti, para você, para vc, para isso, para já não, para que, para quê, para o, \
           para a, para de novo, para sempre, para todos, para onde, para quem, para hoje, para agora não, \
           para quando, para ele, para ela, para nós, chega aí, chega mais, chega cedo, chega logo, chega hoje, \
           chega agora, chega já já, chega que horas, parada de ônibus, ponto de ônibus, calma que, alto nível, \
           muito alto, mais alto, basta que, por fim, no fim, o fim, fim de semana, sem fim, deu certo, \
           deu ruim, deu boa, deu tempo, deu bom, quieto demais, já deu certo, pare de sofrer, deixa eu, \
           deixa comigo, deixa ver, espera que, demais de bom, bom demais, legal demais, lindo demais, \
           acabou de",
        ],
    ),
];
