//! Portuguese. "Para" is also "for", "chega mais" means come closer.

use super::WordRole::{
    And, Ask, Bot, Cease, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, No, Not, Noun, Pal,
    Please, Report, Silence, Since, Spare, States, Stop, Suffice, Tag, Tail, Topic, Urge, Wait,
};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    (
        Noun,
        &[
            "chega de tarde, chega de manhã, chega de noite, chega de viagem, chega de avião, chega de ônibus, chega de carro",
        ],
    ),
    (Not, &["esquece, esqueça, para, pare, cala, pára", "não"]),
    (
        Tag,
        &["tá, tá bom, tá bem, pode ser, sim, beleza, blz, entendeu, certo, por favor"],
    ),
    (Stop, &["chega, já chega, chega já, basta, já basta"]),
    (
        Spare,
        &[
            "chega de, já chega de, basta de, chega desse, chega dessa, chega desses, chega com, para com o, \
           para com a, para com os, para com as, para com esse, para com essa, para com esses, para com essas, \
           para com seu, para com sua, pare com o, pare com a, pare com esse, pare com essa",
        ],
    ),
    (
        Cease,
        &[
            "para de, pare de, pára de, parem de, parar de, chega de, já chega de, deixa de, deixe de, \
           pode parar de, dá pra parar de, vamos parar de, quer parar de, você pode parar de, vc pode parar de, \
           poderia parar de",
        ],
    ),
    (
        Noun,
        &[
            "para de chover, parar de chover, parar de fumar, para de funcionar, deixa de ser, \
           chega de saudade, chega de mágoa, para de fumar",
        ],
    ),
    (Silence, &["mute, silêncio"]),
    (
        Stop,
        &[
            "n precisa, num precisa, n, num, não tem que, não precisa nem, não é preciso, não é necessário, não precisa me, não, não precisa, não precisas, nem, nem precisa, já não, não precisa mais, não é pra, \
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
        Hush,
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
           vaza, vai embora, some daqui, vai dormir, agora não, não me interessa, tanto faz já, calma, \
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
           isso tá, não é isso, não foi isso, não quero, não entendi, ninguém, ninguem, muito, \
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
    (
        Stop,
        &[
            "n, nn, nao, num, ñ, não, já não",
            "precisa, precisa mais, precisa de mais, precisa mais não, precisa não, precisa de mais nada, \
           precisa de tudo isso, precisa tanto, precisa disso tudo",
            "-, vlw, obg",
        ],
    ),
    (
        Stop,
        &[
            "cancela, cancele, cancelar, encerra, encerre, encerrar, interrompe, interrompa, corta, aborta, \
           anula, chega de, chega com, já chega de, para com, pare com, acaba com, larga, cessa",
            "-",
            "resposta, mensagem, mensagens, explicação, explicações, geração, texto, textos, textão, história, \
           histórias, pergunta, conversa, pedido, solicitação, papo, processo, enrolação, palhaçada, lero lero, \
           blablabla, blá blá blá, conversa fiada, gracinha, zoeira, mimimi, drama, bobagem, besteira, falação, \
           barulho, palestra, palestrinha, sermão, monólogo, ladainha, novela, emoji, emojis, spam, flood, \
           informação, assunto, lista",
        ],
    ),
    (
        Urge,
        &[
            "você para, vc para, cê para, tu para, você pode parar, vai parar, vai calar a boca, quer parar, \
           quer calar a boca, dá pra parar, dá pra calar a boca, dá pra ficar quieto, tem como parar, \
           tem como calar a boca, se cala, tu te calas, calas-te, paras, quando você vai calar a boca",
        ],
    ),
    (
        Stop,
        &[
            "parou aí, parou hein, parou já, pode ir parando, pode ir parando por aí, pode ir parando aí, \
           vai parando, vai parando aí, vamos parar por aqui, vamo parar, vamo parar por aqui, \
           paramos por aqui, paremos por aqui, a gente para por aqui, para por aqui, para por aí, \
           pare por aqui, pare por aí, fica por aqui, ficamos por aqui, corta o papo, corta o assunto, \
           corta essa conversa, freia aí, segura a língua, segura a emoção, pisa no freio, puxa o freio, \
           puxa o freio de mão, desliga, desliga aí, desligar, se desliga, vai descansar, descansa, \
           pode descansar, termina aí, termina por aqui, terminou, acaba aí, acabou a conversa, \
           acabou o assunto, assunto encerrado, conversa encerrada, fim de assunto, ponto final, e ponto final, \
           e ponto, deixa assim, deixa assim mesmo, deixa por isso mesmo, tá bom assim pode parar, não enche, \
           não enche o saco, não me enche, não me enche o saco, não amola, não perturba, não incomoda, \
           não insiste, não insista, nem mais um a, nem mais uma linha, para tudo agora, stop aí, stop já, \
           me poupe, poupe-me, me erra, me esquece, sai dessa, desiste, desista, chega pra lá, chega p lá, \
           chega chega, basta basta, para para, para para para",
        ],
    ),
    (
        Hush,
        &[
            "cala a boca já, cala-te já, boca calada, xiiu, xiu, fica na sua, fecha a matraca, engole, bico, \
           fecha o bico já, cala essa matraca, cala esse bico, cala-me essa boca, calou, calou a boca, \
           caladinha, calados, calaboca já, cala a boca menino, cala a boca bicho, shiiu, chiu, pchiu, \
           silêncio aí, silêncio já, faz silêncio aí, quero silêncio, preciso de silêncio, menos barulho aí, \
           que barulho, fica mudo, fica muda, mudo, muta, se muta, vai mutar, mute, não quero ouvir um pio, \
           não dá um pio, não quero ouvir mais um pio, fecha essa matraca, fala menos, fala baixo, \
           tá falando demais, tu fala demais mano, fala muito, você fala muito, como fala, tagarela",
        ],
    ),
    (
        Enough,
        &[
            "já tenho minha resposta, já tenho a resposta, já achei, já encontrei, já consegui, já resolvi, \
           já tá resolvido, já tá tudo certo, quero mais não, quero mais nada não, era isso, era isso mesmo, \
           era só o que eu queria, era só o que eu queria saber, é tudo que eu precisava, \
           era tudo que eu precisava, era tudo que eu queria saber, é tudo que eu queria saber, isso era tudo, \
           isso é tudo, é tudo, só isso obrigado, já tá bom assim, tá bom tá bom, tá bom né, tá bom já deu, \
           já deu por hoje, já deu dessa conversa, deu pra entender, já deu pra entender, deu de, \
           já deu pra mim, deu pra mim, ninguém merece, que textão, olha o textão, quanto texto, muita coisa, \
           muita informação, informação demais, info demais, é muita informação, é muito texto, é texto demais, \
           não pedi tudo isso, não pedi isso tudo, não pedi tanto, não perguntei isso, não te perguntei, \
           já entendi já, já entendi pô, já entendi cara, já peguei, já peguei a ideia, já captei, captei, \
           saquei já, pronto já chega, pronto chega, tá já entendi, tá bom já entendi, tá bom entendi, \
           ok já entendi, isso aí já basta, isso é o bastante, já é o bastante, o bastante, bastante já, \
           tô satisfeito, tô satisfeita, estou satisfeito, me cansou, tá cansativo, ta cansativo, que saco, \
           que chatice, enche o saco, tá enchendo o saco, tá enchendo, tá chato já, já tá chato, encheu, \
           encheu o saco, já encheu, já encheu o saco, chegou disso, passou do limite, passou dos limites",
        ],
    ),
    (
        NeverMind,
        &[
            "deixa pra lá então, deixa pra lá mano, deixa queto, dxa pra la, deixa baixo, deixa isso pra lá, \
           deixa isso quieto, deixa que eu vejo, deixa que eu procuro, esquece a pergunta, \
           esquece minha pergunta, esquece tudo, esquece vai, ah esquece, pode esquecer, pode ignorar, \
           ignora aí, ignora o que eu disse, ignora o que eu falei, ignora a pergunta, releva, cancelado, \
           cancela tudo, cancela o que eu disse, retiro a pergunta, retiro o que disse, não era nada, \
           nada esquece, nada deixa, nada deixa pra lá, mudei de assunto, não preciso mais disso, \
           não preciso mais saber, pergunta errada, perguntei errado, foi engano, engano meu, nvm, nevermind, \
           depois eu vejo, depois vejo, vejo depois, deixa pra depois",
        ],
    ),
    (
        Filler,
        &[
            "noo, naoo, eita, oxe, oxi, ué, ow, opa, tlgd, tlg, mds, meudeus, socorro, misericórdia, senhor, \
           namoral, papo reto, slk, plmds, na boa, numa boa, de boa, por gentileza, ó, oh, olha só, olha aqui, \
           escuta aqui, ei ei, ok ok, tá tá, sim sim, isso isso, tá ok, ta ok, tabom, blz blz, show, top, \
           massa, ótimo obrigado, brigadão, valeu mesmo, vlw mano, vlw flw, flw, obrigadão, muito obrigado, \
           muito obrigada, agradecido, perdão, me desculpa, mil desculpas, sem querer ofender, só um pouco, \
           só um pouquinho, um pouquinho só, rapidão, logo de uma vez, de uma vez por todas, pela última vez, \
           última vez, já falei, já disse, ja te falei, tô pedindo, to pedindo, estou pedindo, \
           por tudo que é mais sagrado, pelo amor da santa, santo deus, nossa mãe, ave maria, vixe, vish, \
           virge, cacete, cacetada, inferno, desgraça, saco, que isso, q isso, ta doido, tá doido, tá louco, \
           credo mano",
        ],
    ),
    (
        Since,
        &[
            "já achei, já encontrei, já resolvi, todo mundo, a galera, o pessoal, gente, nós, a gente, \
           pergunta errada, me enganei, errei, não era, preciso, tenho que, tô sem, minha cabeça, meu celular, \
           meu ouvido, tá dando, ta dando, você tá, vc tá, vc ta, tá tudo",
        ],
    ),
    (
        Topic,
        &[
            "a, o, as, os, um, uma, meu, minha, isso, esse, essa, esta, este, seu, sua, tua, teu, tanto, tanta, tantas, esses, essas",
        ],
    ),
    (
        Next,
        &[
            "quis dizer, quero saber, outra pergunta, nova pergunta, muda, vamos falar, responde, responda, \
           resume, traduz, começa, na verdade quero, primeiro, pode continuar, pode falar, manda ver, segue, \
           siga, vai em frente",
        ],
    ),
    (
        Report,
        &[
            "disse que, falou, ele, ela, eles, gritou, me disse, me mandou, música, letra, filme, botão, placa, \
           significa, se chama, livro",
        ],
    ),
    (
        Lead,
        &[
            "já falei pra você, já te falei pra, já disse pra, tô falando pra, to falando pra, tô mandando, \
           to mandando, já mandei, alguém, alguém faz, faz esse bot, faz ele, manda esse bot, manda o bot, \
           mandem esse bot, manda ele, façam esse bot, fala pra esse bot",
        ],
    ),
    (
        States,
        &[
            "é, está, tá, são, estão, tem, tenho, dói, há, vai, vou, não, se, era, foi, quero, consigo, pode",
        ],
    ),
    (
        Enough,
        &[
            "tá bom de, ta bom de, já tá bom de, chega por hoje de, tô cheio de, cansei de",
            "resposta, respostas, texto, textão, conversa, papo, mensagem, mensagens, explicação, informação, \
           spam, ler, ouvir",
        ],
    ),
    (
        Ask,
        &["podes, pode, podias, poderias, poderia, queres, quer, importas-te de"],
    ),
    (
        Hush,
        &[
            "calar-te, calares-te, te calar, se calar, ficar calado, ficar quieto, ficar em silêncio",
        ],
    ),
    (
        Next,
        &[
            "mais curto, mais simples, mais longo, mais devagar, resumido, resume, em português, em inglês",
        ],
    ),
    (
        Enough,
        &["mais não, mais não por favor, nada mais, agora não"],
    ),
    (
        Filler,
        &[
            "que chato, que saco, nossa, nossa senhora, que porre, que droga, que mala, credo, eita, caramba, poxa, puxa",
        ],
    ),
    (Hush, &["cala, calado, calada, calados"]),
    (
        Tail,
        &["textão, textões, aqui, no chat, aqui no chat, pra mim"],
    ),
    (
        Stop,
        &[
            "não",
            "me",
            "responde, responda, escreve, escreva, manda, mande, fala, fale, explica, explique, conta, conte",
            "mais, mais nada, -",
        ],
    ),
    (
        Hush,
        &[
            "fica, fique, fiquem",
            "quietinho, quietinha, calado, calada, caladinho, quieto, quieta, em silêncio, na tua",
        ],
    ),
];
