//! Spanish. The imperative "para" is also "for": whatever follows it decides.

use super::WordRole::{
    And, Ask, Bot, Cease, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, No, Not, Noun, Pal,
    Please, Report, Silence, Since, Spare, States, Stop, Suffice, Tag, Tail, Topic, Urge, Wait,
};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    (
        NeverMind,
        &["me puedes dejar en paz, me podrías dejar en paz"],
    ),
    (Laugh, &["jaja, jajaja, jajajaja, jaj, jeje, xd, jsjs"]),
    (
        Noun,
        &[
            "hombre alto, muy alto, más alto, tan alto, alto voltaje, alto nivel, en alto, lo alto, deje de fumar, deje de beber, deje de trabajar, deje de ir",
        ],
    ),
    (
        Noun,
        &["me paré, me pare a, me callo, me callé, me detuve, yo paro, yo me callo"],
    ),
    (
        Urge,
        &[
            "me dejas, nos dejas, me dejás, me vas a dejar",
            "en paz, tranquilo, tranquila, de hablar",
        ],
    ),
    (
        Suffice,
        &["ya con eso, con eso ya, así ya, ya así, con esto ya, hasta ahí ya"],
    ),
    (
        Tag,
        &["vale, sí, de acuerdo, dale, quieres, querés, entendido, estamos, porfa, eh"],
    ),
    (Stop, &["basta, basta ya, ya basta, basta por favor"]),
    (
        Stop,
        &[
            "para, pará, pare, detente, corta",
            "un momento, un segundo, un poco, un rato, un ratito, un toque, un poquito, un minuto, un cacho, \
           un seg, tantito, ahí un momento",
        ],
    ),
    (
        Cease,
        &[
            "que pares de, que pare de, pares de, quiero que pares de, quiero que dejes de, \
           te dije que dejes de, que dejes ya de, necesito que dejes de, no quiero que sigas, \
           necesito que pares de, te pido que dejes de",
        ],
    ),
    (
        Spare,
        &[
            "basta de, ya basta de, basta con la, basta con el, basta con tanto, basta con tanta, \
           suficiente de, déjate de, dejate de, ya con tus, para con la, para con el, para con los, \
           para con las, para con tus, para con tu, stop con, corta con la, corta con el, cortala con, \
           córtala con, cortala con la, cortala con el",
        ],
    ),
    (
        Cease,
        &[
            "deja de, dejá de, deje de, dejen de, dejad de, para de, pará de, pare de, paren de, ya deja de, \
           ya para de, basta de, ya basta de, termina de una vez de, \
           cesa de, que dejes de, dejes de",
        ],
    ),
    (
        Noun,
        &[
            "deja que, dejá que, deja que te, dejá que te, deja que lo, no basta, deja de llover, \
           para de llover, deja de nevar, deja de funcionar, deja de fumar, dejar de fumar, deja de ser, \
           deja de existir, calla que me acuerdo, calla que se me olvida",
        ],
    ),
    (Silence, &["mute, silencio, callado, callada"]),
    (
        Stop,
        &[
            "basta, ya basta, suficiente, demasiado, menos, ya",
            "de",
            "texto, textos, spam, mensajes, charla, cháchara, palabras, palabrería, explicaciones, tonterías, \
           chorradas, rollo, bla bla, bla bla bla",
        ],
    ),
    (
        Stop,
        &[
            "no, ya no, que no, mejor no",
            "sigas, hables, escribas, respondas, contestes, expliques, me expliques, mandes, envíes, digas, \
           me hables, me escribas, continúes, repitas, publiques, spamees, me respondas, me contestes, me mandes, me digas, sigas hablando, sigas escribiendo, sigas con eso, sigas mandando, sigas explicando, hable, escriba, responda, siga, termines, molestes, me molestes, jodas, me jodas, chingues, fastidies, des la lata, me rayes, spamees aquí, te enrolles, empieces, me cuentes, sigan, hablen",
            "-, más, nada, nada más, tanto, ya, más por favor, más mensajes, más cosas, más texto, otra vez",
        ],
    ),
    (
        Enough,
        &[
            "no quiero, ya no quiero",
            "-, más",
            "leer, oír, escuchar, saber, leerte, oírte, escucharte",
            "-, más, nada, nada más, esto, eso",
        ],
    ),
    (
        Hush,
        &[
            "quiero que, necesito que, te pido que, te dije que, te ordeno que, te ruego que, te exijo que, \
           he dicho que, dije que, te he dicho que, que, por qué no, ya te dije que, ya dije que, ya te he dicho que, \
           te estoy diciendo que, te digo que, que te digo que, ya te lo dije",
            "-, ya, por favor",
            "te calles, te callas, te callás, cierres la boca, cierres el pico, guardes silencio, se calle, \
           te calles la boca",
        ],
    ),
    (
        Stop,
        &[
            "quiero que, necesito que, te pido que, te dije que, te ordeno que, te ruego que, te exijo que, \
           he dicho que, dije que, te he dicho que, que, por qué no",
            "-, ya, por favor",
            "pares, te detengas, pare, lo dejes, termines, dejes de hablar, dejes de escribir, dejes de responder, \
           dejes de molestar",
        ],
    ),
    (And, &["y, e"]),
    (
        Stop,
        &[
            "para, pare, paren, parad, párale, párate, parate, paralo, parar, pararle, que pares, que pare, \
           que paren, para ahí, para ya, ya para, ya párale, para el carro, para la mano, para la moto, detente, \
           detenete, deténgase, deténganse, detén, detener, detenerte, que te detengas, alto, alto ahí, alto ya, \
           frena, frená, frenale, frenar, frena el carro, corta, cortá, córtala, cortala, cortale, córtale, \
           córtalo, corta ya, corta el rollo, corta el royo, cortar, corten, termina, termina ya, \
           termina con eso, terminá, terminala, terminá ya, acaba ya, acabala, acábala, acaba de una vez, \
           déjalo ya, déjalo ahí, dejalo ahí, déjalo así, dejalo así, dejá, \
           deja eso, dejá eso, deja ya, déjame en paz, dejame en paz, dejame tranquilo, déjame tranquilo, \
           déjame tranquila, suéltalo, no sigas, no sigas más, ya no sigas, no siga, no sigas por favor, \
           no continúes, no continues, no continúe, no hables, no hables más, no me hables, ya no hables, \
           no digas más, no digas nada más, no digas nada, no escribas, no escribas más, ya no escribas, \
           no respondas, no respondas más, no contestes, no contestes más, no expliques más, \
           no me expliques más, ya no me expliques, no hace falta, no hace falta más, no hace falta que sigas, \
           no hace falta seguir, no es necesario, no es necesario que sigas, no es necesario seguir, \
           no mandes más, no envíes más, ya no mandes, ni una palabra más, ni una más, ya no más, no más, \
           nomás no, para de una vez, fin, se acabó, ya se acabó, hasta ahí, hasta ahí nomás, hasta aquí, \
           hasta acá, hasta aquí nomás, aborta, abortar, interrumpe, alto el fuego, stop ya, quieto, quieta, \
           quieto ahí",
        ],
    ),
    (
        Hush,
        &[
            "deja, dejá, deje, dejad, dejen, para, pará, pare, que dejes, quieres dejar, dejes, dejar, basta, \
           cesa, termina",
            "ya, un rato, un poco, -",
            "de hablar, de escribir, de responder, de contestar, de explicar, de spamear, de mandar mensajes, \
           de mandar, de enviar, de enviar mensajes, de joder, de molestar, de molestarme, de fastidiar, \
           de dar la lata, de chingar, de parlotear, de hacer eso, de hacerlo, de chamuyar, de charlar, \
           de decir tonterías, de decir cosas, de textear, de generar, de gritar, de repetir, de contar, \
           de rayar, de dar la brasa, de dar la chapa, de dar la tabarra, con eso, con esto, con todo, \
           con el spam, con la chapa, de decir pavadas, de decir boludeces, de decir estupideces, de marear, \
           de enrollarte, de darle, de seguir, de cotorrear, de bardear, de romper, de romper las bolas, \
           de inventar, con la tontería, de rajar, de chacharear, tanta charla, tanto texto, de tanto texto, \
           de tanto hablar, de spam, de escribir tanto, de hablar tanto",
        ],
    ),
    (
        Hush,
        &[
            "cállate, callate, cállate ya, callate la boca, cállate la boca, cállese, cállense, callaos, calla, \
           callad, callá, callar, callarte, callarse, calladito, calladita, callado, callada, que te calles, \
           q te calles, que se calle, cierra la boca, cierra el pico, cierra esa boca, cerrá la boca, \
           cerrá el pico, cerrá el orto, cierra el hocico, cierra el culo, cerrar el pico, cerrar la boca, \
           silencio, chitón, chiton, sh, shh, shhh, chist, chito, tsh, haz silencio, hacé silencio, \
           hacer silencio, guarda silencio, guardar silencio, un poco de silencio, punto en boca, \
           estate callado, quédate callado, quedate callado, quédate callada, baja la voz, a callar, shut up, \
           boca cerrada, cayate, cayese, kallate, cállate un mes, cierra el osico, calladito te ves más bonito",
        ],
    ),
    (
        Enough,
        &[
            "basta, ya basta, basta ya, basta por hoy, con eso basta, eso basta, bastante, ya es bastante, \
           suficiente, es suficiente, ya es suficiente, eso es suficiente, con eso es suficiente, \
           suficiente por hoy, ya fue suficiente, fue suficiente, más que suficiente, es más que suficiente, \
           ya tuve suficiente, tuve suficiente, ya está, ya está bien, está bien así, así está bien, ya estuvo, \
           ya estuvo bueno, ya estuvo bien, ya fue, ya déjalo, ya vale, vale ya, ya estamos, ya es mucho, \
           es demasiado, ya es demasiado, demasiado, demasiado texto, mucho texto, con eso me basta, \
           con eso tengo, con eso tengo suficiente, ya tengo lo que necesito, ya tengo lo que necesitaba, \
           con eso me alcanza, alcanza, ya alcanza, con eso alcanza, me alcanza, ya me quedó claro, ya entendí, \
           ya lo entendí, ya te entendí, ya entendimos, ya lo pillo, ya lo he pillado, ya sé, ya lo sé, \
           me cansé, ya me cansé, me cansaste, ya me cansaste, me tenés harto, me tienes harto, me tienes harta, \
           estoy harto, estoy harta, no quiero más, no quiero saber más, no quiero oír más, no quiero leer más, \
           no quiero escuchar más, ya no quiero más, ya no quiero saber, no necesito más, ya no necesito más, \
           ya mucho, no aguanto más, no te aguanto más, hablas demasiado, hablás demasiado, hablas mucho",
        ],
    ),
    (
        Suffice,
        &[
            "eso es todo, es todo, nada más, no gracias, ya no, listo ya, ya listo, nadie preguntó, \
           nadie te preguntó, vete, lárgate, vete a la mierda, fuera, andate, descansa, tranquilo, tranquila, \
           cálmate, calma, bájale, bajale, ahora no, no me interesa, no importa ya, con calma",
        ],
    ),
    (
        Wait,
        &[
            "espera, esperá, espérate, esperate, espere, esperen, un momento, un momentito, \
           un segundo, un seg, un segundito, momento, momentito, dame un segundo, dame un momento, aguanta, \
           aguantá, aguántame, aguarda, aguardá, aguarde, pausa, pon pausa, un minuto, espera un momento, \
           espera un segundo, espera un poco, espera un minuto, espera tantito, permíteme, pérate, perate, pera",
        ],
    ),
    (
        NeverMind,
        &[
            "olvídalo, olvidalo, olvidate, olvídate, olvídate de eso, olvida eso, olvida lo que dije, \
           olvida mi pregunta, da igual, cancela, cancelá, cancelar, cancelalo, cancélalo, cancela eso, \
           no importa, ya no importa, nada nada, déjalo estar, nada olvídalo, ignora eso, ignora mi mensaje, \
           ignorame, me equivoqué, me equivoqué de chat, canal equivocado, anula, anular",
        ],
    ),
    (
        Ask,
        &[
            "puedes, puedes ya, podés, podrías, puede, podría, podemos, te puedes, te podés, te podrías, quieres, \
           querés, querrías, te quieres, te querés, me haces el favor de, me harías el favor de, \
           haz el favor de, hazme el favor de, hacé el favor de, hacéme el favor de, por qué no, por qué no te, \
           serías tan amable de, sería posible, te importa, te importaría, te importaria, vas a, te vas a, \
           podrían, pueden",
        ],
    ),
    (
        Please,
        &[
            "por favor, porfavor, porfa, porfis, porfi, porfaplis, xfa, xfavor, pf, pls, plis, te lo pido, \
           te lo ruego, te lo suplico, te pido, te ruego, te suplico, te pido que, te ruego que, te suplico que, \
           se lo pido, se lo ruego, por dios, por el amor de dios, por lo que más quieras, por piedad, \
           te lo imploro, ten piedad, favor de",
        ],
    ),
    (
        Filler,
        &[
            "ya, y ya, ya mismo, un poco, un poquito, un rato, un ratito, un toque, un cacho, de una vez, de una, \
           de una buena vez, ahora, ahora mismo, ahorita, inmediatamente, al toque, ahí, aquí, acá, allí, oye, \
           oiga, oíme, oime, mira, mirá, escucha, ey, ei, eh, che, bueno, vale, va, venga, dale, okey, \
           está bien, esta bien, bien, listo, claro, perfecto, genial, gracias, muchas gracias, mil gracias, \
           grax, en serio, enserio, de verdad, de veras, posta, la verdad, carajo, joder, coño, mierda, dios, \
           dios mío, madre mía, ay, uf, uff, puf, puta, puta madre, la puta madre, hostia, ostia, ostras, \
           caramba, maldita sea, pues, pos, entonces, hoy, por hoy, por ahora, por un rato, por un momento, \
           por un segundo, con eso, con esto, tantito, tantico, poquito, así, sí, si, mejor, solo, simplemente, \
           también, hombre, mujer, no manches, no mames, nmms, anda, anda ya, ándale, perdón, perdona, disculpa, \
           disculpe, lo siento, por fin, a la de ya, de inmediato, cuanto antes, rápido, tú, vos, usted, \
           tranqui, lo digo en serio, te digo, te he dicho, he dicho, dije, te dije, entendido, entiendo, \
           entendí, sip, nah, epa, oh, ah, un momento, un segundo, un minuto, unos minutos, me entiendes, toda, \
           total, totalmente, hasta luego",
        ],
    ),
    (
        Tail,
        &[
            "ahí nomás, nomás, que, eso, esto, todo, ya no, con la cantaleta, antes de que, la boca, el pico, \
           un mes, para siempre, de molestar, pibe",
        ],
    ),
    (
        Lead,
        &[
            "quiero que, necesito que, te pido que, te ordeno que, te mando que, te exijo que, te dije que, \
           te digo que, he dicho que, dije que, puedes, tienes que, tenés que, debes, deberías, ya puedes, \
           ya podés, hay que, vamos a, es hora de, es momento de, me gustaría que, ojalá, a ver si, a ver si te, \
           lo mejor es, mejor, te, que, me, haz que, y",
        ],
    ),
    (No, &["no, no no, que no, nop, nope"]),
    (
        Pal,
        &[
            "tío, tía, tronco, wey, güey, guey, we, weon, huevón, pana, mano, hermano, bro, compa, carnal, parce, \
           parcero, boludo, boluda, pelotudo, pendejo, cabrón, cabron, imbécil, idiota, tonto, tonta, estúpido, \
           amigo, amiga, chico, chica, niño, niña, chicos, chicas, gente, muchachos, todos, hijo, hija, \
           hijo de puta, mi amor, cariño, corazón, maje, chamo, chaval, chavales, colega, macho, mijo, loco, \
           loca, nene, viejo, payaso, pesado, pesada, plasta, hdp, ctm, conchetumare, jefe, man",
        ],
    ),
    (
        Bot,
        &[
            "bot, robot, robotito, botcito, máquina, maquinita, inteligencia artificial, ia, chatbot, asistente",
        ],
    ),
    (
        Since,
        &[
            "que me, que ya, que no, que te, que esto, que estoy, que tengo, que hablas, me, estoy, eres, es que, está, estás, ya me, ya estoy, esto es, eso es, eso no, esto no, \
           no te, no me, no quiero, no entiendo nada, demasiado, muy, hablas, escribes, nadie, me tienes, tengo, \
           porque, pq, xq, me duele, te equivocas, te equivocaste, ya te, se me",
        ],
    ),
    (
        Next,
        &[
            "y, pero, mejor dime, dime, cuéntame, contame, explica, explícame, escribe, haz, hazme, dame, en vez, \
           en lugar, ahora dime, qué, cómo, por qué, cuándo, cuando, dónde, quién, cuál, sigue, continúa, si, \
           hasta que, luego",
        ],
    ),
    (
        Not,
        &[
            "nunca, jamás, no pares, no pare, no paren, no te detengas, no se detenga, no te calles, no se calle, \
           no esperes, no lo dejes, no dejes de, sin parar, no basta, no es suficiente, sin, no para, no paran, \
           no puedo, tampoco, no frenes, no cortes, no termines",
        ],
    ),
    // Of how good something is, not that there is enough of it.
    (
        Noun,
        &[
            "bastante",
            "bien, claro, mejor, perfecto, genial, bueno, rápido, así, mal, tranquilo, listo",
        ],
    ),
    (
        Noun,
        &[
            "para que, para qué, para mi, para mí, para ti, para ella, para él, para eso, para esto, para todo, \
           para siempre, para nada, para ahora, para hoy, para un, para un poco de, para un rato de, para el, \
           para mañana, para cuando, para variar, para mejor, para todos, para ya mismo no, para usted, \
           para vos, para bien, para sí, alto nivel, muy alto, más alto, el alto, en alto, parada, bus stop, \
           espera que, basta con que, basta con, es suficiente con, pare de sufrir, que va, silencio de, \
           un alto, señal de alto, señal de pare, el fin, al fin, por fin, en fin, fin de semana, sin fin",
        ],
    ),
    // "No need to answer."
    (
        Stop,
        &[
            "no hace falta, no hace falta ya, ya no hace falta, no es necesario, ya no es necesario, \
           no tienes que, no tenés que, no necesitas, no necesito que, no hay necesidad de, no quiero que, \
           no te pedí que, no pedí que, no te molestes en, ni te molestes en, ahórrate, ahorrate",
            "-, que",
            "sigas, seguir, continúes, continuar, respondas, responder, me respondas, responderme, contestes, \
           contestar, contestarme, expliques, explicar, expliques más, explicar más, explicarlo, \
           explicarlo todo, escribas, escribas más, escribir, escribir más, digas más, decir más, \
           digas nada más, hables, hables más, hablar, hablar más, termines, terminar, me expliques, \
           me expliques todo, me lo expliques, el resto, lo demás, el discurso, la explicación, el sermón, \
           la respuesta",
            "-, más, ya, todo",
        ],
    ),
    (
        Stop,
        &[
            "cancela, cancelá, anula, detén, corta, cortá, interrumpe, frena, aborta, cancelar, detener, \
           basta con, ya basta con, basta de, ya basta de, deja, dejá, se acabó, suficiente de, stop con, stop a",
            "-",
            "respuesta, mensaje, mensajes, explicación, explicaciones, generación, texto, textos, historia, \
           cuento, pregunta, solicitud, petición, proceso, charla, discurso, sermón, rollo, lista, tarea, \
           monólogo, parrafada, biblia, testamento, emojis, drama, ruido, cháchara, conversación, tema, spam",
        ],
    ),
    (
        Urge,
        &[
            "te callas, te callas ya, te callás, te podés callar, te quieres callar, te querés callar, \
           por qué no te callas, paras ya, paras, parás, parás un poco, la cortas, la cortás, \
           la cortás un poco, lo dejas ya, lo dejas, vas a parar, vas a callarte, te vas a callar, \
           cuándo te vas a callar, puedes callarte, puedes parar, podrías callarte, podés parar, \
           podés callarte, ya vas a parar",
        ],
    ),
    (
        Stop,
        &[
            "párale a tu tren, párale a tu carro, párale al carro, bájale dos rayitas, bájale tres rayitas, \
           bájale un cambio, bajale un cambio, bajá un cambio, baja un cambio, bájale de huevos, aflojá, \
           afloja, afloja un poco, aflojá un poco, aflojale, cortala un poco, córtala ya, ya córtala, \
           córtale ya, ya córtale, córtenla, déjate de joder, dejate de joder, déjate de tonterías, \
           déjate de historias, déjate de rollos, déjate de cuentos, dejate de pavadas, no jodas más, \
           no me jodas más, no chingues, ya no chingues, no molestes, no molestes más, no me rayes, \
           ya no mames, basta basta, para para, ya ya, ya ya ya, quieto parado, echa el freno, \
           echa el freno madaleno, mete el freno, pisa el freno, dale al freno, hasta ahí llegamos, \
           hasta ahí está bien, hasta ahí está bueno, lo dejamos ahí, lo dejamos aquí, dejémoslo ahí, \
           dejémoslo aquí, dejémoslo así, dejalo nomás, dejalo nomas, pará la mano, pará un poco, \
           pará un cacho, pará con eso, pare por favor, corta por lo sano, punto, punto final, punto y final, \
           y punto, sanseacabó, apaga, apágate, apagate, desconéctate, apaga y vámonos, cierra el chiringuito, \
           déjanos en paz, dejanos en paz, déjanos tranquilos, fin de la conversación, fin de la discusión, \
           fin del tema, tema cerrado, cambio y fuera",
        ],
    ),
    (
        Hush,
        &[
            "mutis, mute, mutéate, silénciate, ponte en mute, ponte en silencio, boca, la boca, \
           cierra la bocota, cierra la bocaza, callate un rato, cállate un rato, cállate un poquito, callaíto, \
           calladitos, cállense ya, shhh calla, shh cállate, no quiero ni oírte, ni una palabra, ni pío, \
           no digas ni pío, no quiero oír ni pío, sin hablar, chitón ya, a dormir, haz el favor de callarte, \
           te pido silencio, pido silencio, quiero silencio, necesito silencio, más silencio, menos ruido, \
           menos hablar, hablas por los codos, cierra la trompa, cierra la jeta, cerrá la jeta, \
           callate la jeta, cayate la boca, kyate, cllate, cállateee",
        ],
    ),
    (
        Enough,
        &[
            "ya tengo mi respuesta, ya tengo la respuesta, ya tengo lo que quería, ya lo encontré, \
           ya lo resolví, ya lo tengo, ya lo tengo claro, ya quedó, ya quedó claro, quedó claro, \
           me queda claro, me quedó claro, ya no lo necesito, ya no necesito nada, ya no necesito nada más, \
           no necesito nada más, es todo lo que quería, es todo lo que quería saber, \
           eso es todo lo que quería saber, eso es todo lo que necesitaba, es todo lo que necesitaba, \
           con esto tengo, con esto me alcanza, con esto basta, con esto es suficiente, con esto me basta, \
           con eso estoy, con eso está bien, con eso está, así está perfecto, así ya está, así nomás está bien, \
           no necesito tanto, no necesito tanta info, no necesito tanta información, no pedí tanto, \
           no te pedí tanto, no te pedí eso, no te pregunté eso, tanto texto, cuánto texto, cuanto texto, \
           es mucho texto, demasiada información, demasiada info, mucha información, demasiadas palabras, \
           demasiados mensajes, qué pesado, qué pesada, qué pesado eres, eres un pesado, qué plasta, \
           no seas pesado, no seas plasta, me aburres, me aburrís, me mareas, me estás mareando, me saturas, \
           ya cansas, cansas, ya cansa, aburres, ya aburres, ya estuvo suave, ya chole, chole, ya bájale, \
           ya me harté, me harté, me hartaste, ya está bueno, está bueno ya, ya fue loco, listo ya entendí, \
           ok ya entendí, vale ya entendí, ya lo capto, lo capto, ya capté, ya pillé, ya lo pillé, ya te capté, \
           captado",
        ],
    ),
    (
        NeverMind,
        &[
            "olvida, olvídalo ya, olvida la pregunta, olvídate de la pregunta, olvidá, olvidá eso, \
           olvidá lo que dije, nada olvida, nada déjalo, nada deja, bah déjalo, bah da igual, ya da igual, \
           me da igual ya, no pasa nada déjalo, mejor nada, mejor no, mejor olvídalo, mejor déjalo, \
           ya no quiero, ya no quiero nada, haz como que no pregunté, como si no hubiera preguntado, ignórame, \
           ignora, ignora mi pregunta, ignora la pregunta, ignora lo anterior, no me hagas caso, no hagas caso, \
           pregunta equivocada, cambié de idea, cambié de opinión, cambio de planes, cancelado, cancelen, \
           nevermind, nvm, déjelo, déjelo así, ya lo busco yo, lo busco yo, ya lo hago yo",
        ],
    ),
    (
        Filler,
        &[
            "noo, uy, huy, ufff, ala, hala, bah, buah, jo, jolín, jolines, vamos, nada, oye tú, a ver, \
           venga va, ok ya, ok ok, vale vale, sí sí, sisi, ya ya, tal cual, literal, neta, la neta, al chile, \
           chale, órale, no inventes, híjole, ostia puta, me cago en todo, me cago en la leche, madre de dios, \
           virgen santa, santo dios, señor, por diosito, diosito, plisss, porfaaa, xfi, pofa, pliss, please, \
           plis plis, te juro, lo juro, muy bien, muy amable, te agradezco, se agradece, entendido gracias, \
           gracias ya, gracias pero, tkm, tqm, un ratico, un momentico, ahoritica, ya mismito, de inmediato ya, \
           por última vez, última vez, en fin, o sea, osea, tipo, posta posta, eu, ehh, ahh, oooh, wow, guau, \
           uf qué, qué horror, qué fastidio, qué cansancio, por favor te lo pido, porfavorcito",
        ],
    ),
    (
        Since,
        &[
            "todos, todo el mundo, la gente, nos, ya encontré, ya lo, ya la, ya encontré la, \
           pregunta equivocada, me equivoqué, no era, no es, era otra, fue sin querer, tengo que, estamos, \
           estás, estas, me va",
        ],
    ),
    (
        Topic,
        &[
            "la, el, los, las, tu, tus, un, una, mi, mis, es, esto, eso, esa, ese, esta, este, esos, esas, tanta, tanto, tantos",
        ],
    ),
    (
        Next,
        &[
            "quise decir, me refería, quiero saber, otra pregunta, nueva pregunta, cambia, cambiemos, hablemos, \
           responde, contesta, resume, traduce, empieza, vuelve a, en cambio, primero, además, también quiero, \
           adelante",
        ],
    ),
    (
        Report,
        &[
            "dijo, dice, dijeron, él, ella, gritó, me dijo, le dije, canción, letra, película, botón, señal, \
           cartel, significa, se llama, libro",
        ],
    ),
    (
        Enough,
        &[
            "-, ya",
            "con eso, con esto, con lo que dijiste",
            "me sobra, sobra, ya me sobra, me vale, me sirve, me apaño, me arreglo, estoy bien, ya estoy, \
           tengo de sobra",
        ],
    ),
    (
        Lead,
        &[
            "ya te dije que, ya dije que, ya te he dicho que, te estoy diciendo que, te digo que, que alguien, \
           alguien, hagan que, haz que, a ver cuándo",
        ],
    ),
    (
        Stop,
        &[
            "ya te dije que, ya dije que, ya te he dicho que, te estoy diciendo que, te digo que, que te digo que",
            "-, ya",
            "pares, te detengas, pare, lo dejes, termines, dejes de hablar, dejes de escribir, no sigas, \
           no hables, no escribas",
        ],
    ),
    (
        States,
        &[
            "es, está, son, están, tiene, tengo, duele, duelen, hay, va, voy, no, se, estamos, era, fue, \
           quiero, puedo, puede",
        ],
    ),
    (NeverMind, &["déjalo, dejalo, déjala, dejala"]),
    (
        Next,
        &[
            "más corto, más breve, más simple, más largo, más despacio, más lento, en corto, en español, en inglés, resumido, resume",
        ],
    ),
    (
        Hush,
        &[
            "dejarme en paz, dejarnos en paz, dejarme tranquilo, dejarme tranquila, dejar de molestar",
        ],
    ),
    (
        Ask,
        &["me puedes, me podés, me podrías, nos puedes, nos podrías, me quieres"],
    ),
    (Cease, &["parar de, dejar de, dejar ya de"]),
    (Pal, &["callaos, callaos ya, callaros"]),
    (Hush, &["dejar en paz, dejarme en paz"]),
];
