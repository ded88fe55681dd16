//! English.

use super::WordRole::{
    And, Ask, Bot, Cease, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, Not, Noun, Order,
    Pal, Please, Report, Silence, Since, Spare, States, Stop, Suffice, Tag, Tail, Topic, Wait, Wh,
};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    (
        Noun,
        &[
            "stop, quit",
            "calling, addressing me, treating, using, acting, pretending, assuming, starting, ending, comparing, worrying, thinking, overthinking, dreaming, caring, trying, loving, hating, eating, biting, procrastinating",
        ],
    ),
    (Suffice, &["chill, relax, calm down"]),
    (
        Noun,
        &["drop it like, drop it in, drop it on, drop it off, drop it into, drop it at"],
    ),
    (
        Noun,
        &["leave it to, leave it on, leave it in, leave it for, leave it with"],
    ),
    (
        Tag,
        &[
            "alright, right, yeah, yes, please, got it, understood, you hear, you hear me, deal, mkay, understand, fine, thanks, thank you",
        ],
    ),
    (
        Since,
        &[
            "not what i asked, what i asked, what i asked for, not what i asked for, i asked for, i never asked, i only asked, i just asked, like i said, as i said, what i said",
        ],
    ),
    (
        Filler,
        &[
            "thats good enough, its good enough, good enough thanks, good enough thank you, ok good enough, \
           what the, what the hell, what the fuck, what the heck, holy moly, oh wow, oh boy, oh man, oh dear, \
           omg no, oh no no, god no, hell no, please god, dear lord, mother of god, i said please, just please",
        ],
    ),
    (
        Spare,
        &[
            "enough with the, enough with all the, enough with your, enough with these, enough of the, \
           enough of your, enough of this, enough of these, chill with the, chill with all the, \
           chill out with the, ease up on the, easy on the, easy with the, lay off the, stop with the, \
           stop with all the, stop with your, stop it with the, quit it with the, quit with the, spare me the, \
           spare us the, spare me your, no more of the, no more of your, knock it off with the, cool it with the",
        ],
    ),
    (
        Filler,
        &[
            "thats fine, its fine, thats ok, thats okay, its ok, its okay, thats good, thats cool, thats great, \
           all good, its all good, no worries, i understand, understood, i get it, got it, gotcha, i see, \
           makes sense, that helps, very helpful, thats helpful",
        ],
    ),
    (
        Cease,
        &[
            "stop, quit, stop your, quit your, stop this, stop that, stop all this, stop all that, no more, enough",
        ],
    ),
    (Silence, &["quiet, silence, mute, sh"]),
    (
        Filler,
        &[
            "for gods sake, for the love of god, for christs sake, for fucks sake, for petes sake, for heavens sake, \
           for goodness sake, for the love of, for crying out loud, in gods name, for once, for now, for a sec, for a second, for a minute",
        ],
    ),
    (And, &["and, n"]),
    (
        Stop,
        &[
            "stop, stop it, stop that, stop this, stop now, stop there, stop here, stopit, stop ittt, halt, quit, \
           quit it, abort, cease, desist, cease and desist, stopping, cut it, cut it out, cut that out, \
           cut it off, cut the crap, cut the chatter, cut the bs, cut the bullshit, cut the nonsense, \
           cut the noise, knock it off, knock that off, pack it in, give it a rest, give it a break, \
           give us a break, give me a break, give my eyes a break, lay off, back off, drop it, leave it there, \
           leave it at that, leave me alone, call it a day, wrap it up, wrap this up, wind it up, end it, \
           end it there, end it here, esc, escape, ctrl c, ctrlc, sigint, take a break, pause please, freeze, \
           hold it right there, hold your horses, hold your tongue, make it stop, come off it, say no more, \
           not another word, no more words, not one more word, dont say anything else, dont say any more, \
           dont say anything more, dont say another word, no further, no need to continue, no need to go on, \
           no need to keep going, no need for more, dont go on, dont continue, do not continue, dont keep going, \
           dont talk, dont talk anymore, dont write anymore, dont write any more, dont bother, \
           dont bother continuing, youre done, you are done, ur done, were done here, we are done here, \
           were done, stop rn, stfu rn, stop the presses, stop right there, terminate, end of discussion, \
           end of story, end transmission, cancel generation, stop generation, stop generating",
        ],
    ),
    (
        Hush,
        &[
            "stop, quit, cease, stop with, enough with, enough of, enough, lay off",
            "-",
            "talking, speaking, writing, typing, yapping, rambling, chatting, spamming, spam, explaining, \
           responding, replying, answering, generating, generation, pinging, posting, messaging, blabbering, \
           babbling, ranting, yelling, screaming, shouting, singing, sending, sending messages, sending stuff, \
           going on, going, doing that, doing this, doing it, bothering me, annoying me, bugging me, \
           pestering me, messaging me, pinging me, talking to me, chatter, chattering, blabbing, jabbering, \
           yammering, prattling, droning, droning on, rambling on, yapping on, going on and on, counting, \
           listing, listing things, lecturing, lecturing me, preaching, reply, response, answer, output, \
           message, messages, talkin, yappin, typin, spammin, ramblin, noise, nonsense, madness, bs, bullshit, \
           yap, text, wall of text, walls of text, essay, story, explanation, monologue, monologuing, narrating, \
           reciting, whining, producing text, outputting, barking, being annoying, being so annoying, flooding, \
           flooding the chat, flooding chat, spamming the chat, spamming chat, wasting tokens, wasting my time, wasting time, repeating yourself, making stuff up, making things up, hallucinating, replying to me, responding to me, answering me, answering everything, responding to everything, talking nonsense, talking shit, talking crap",
        ],
    ),
    (
        Hush,
        &[
            "shut up, shutup, shuttup, shadup, shaddup, stfu, gtfo, shut it, shut yourself up, shut your mouth, \
           shut your trap, shut ur mouth, shut your face, shut your pie hole, shut your piehole, \
           shut the fuck up, shut the hell up, shut the f up, shut tf up, shut the heck up, \
           shut the front door up, zip it, zip your lips, zip your mouth, hush, hush up, hush now, hush it, \
           be quiet, be silent, stay quiet, stay silent, keep quiet, go quiet, quiet, quiet down, quiet you, \
           quiet now, quiet time, silence, pipe down, simmer down, settle down, button it, button your lip, sh, \
           shh, shhh, ssh, sshh, shush, pst, psst, mute yourself, be still, keep it down, can it, \
           put a sock in it, stuff it, belt up, mouth shut, keep your mouth shut, close your mouth, no talking, \
           no more talking, peace and quiet, some peace and quiet, bite your tongue, not a peep, not a word, \
           mute, just zip it, a little quiet, be quite",
        ],
    ),
    (
        Enough,
        &[
            "-, thats, that is, thatll be, that will be, thats quite, thats more than, more than, thats about, \
           its, it is, this is, thats all, ive had, i have had, i had, ive heard, i have heard, heard, had, \
           ive read, ive seen, ive got, you said, youve said, weve heard, weve had, weve seen, quite, \
           i think thats, i think thats about, i think, i said",
            "enough, plenty, sufficient, nuff, enuf, enuff, enof",
            "-, of that, of this, of it, from you, out of you, for now, for me, for today, for one day, already, \
           info, information, detail, details, text, words, of you, of your voice",
        ],
    ),
    (
        Enough,
        &[
            "thatll do, that will do, thatll do it, that will do it, thatll be all, that will be all, \
           that would be all, thats all i needed, thats all i need, that is all i need, thats all i wanted, \
           thats all i wanted to know, i have what i need, i got what i need, i got what i needed, \
           ive got what i need, i have what i needed, i have everything i need, no more, no more please, \
           no more of this, no more of that, no mas, not anymore, i get it already, ok i get it, okay i get it, \
           alright i get it, yeah i get it, yes i get it, i get it i get it, we get it, ok we get it, \
           i get the idea, i get the point, i got the point, i get the picture, i got the gist, i get the gist, \
           got the idea, got the point, got the gist, point taken, spare me, im done with this, im done reading, \
           im done listening, im done talking, cant take it anymore, i cant take it anymore, \
           i cant take this anymore, i cant take any more, i cant take any more of this, i dont want to hear it, \
           i dont want to hear it anymore, i dont want to hear any more, i dont want to hear anymore, \
           i dont want any more, i dont want more, i dont need any more, i dont need more, \
           i dont need to know more, dont need more, dont need any more, i dont care anymore, you talk too much, \
           u talk too much, you write too much, you can go now, you may go, youre dismissed",
        ],
    ),
    (
        Suffice,
        &[
            "thats all, that is all, thats it, that is it, thats fine thanks, thats good thanks, im good, \
           im good now, i am good, were good, no need, no thank you, no thanks, not interested, not now, \
           save it, leave it, let it go, too much, thats too much, thats too long, way too long, way too much, \
           thats way too much, im done, i am done, time out, timeout, nobody asked, no one asked, didnt ask, \
           i didnt ask, i didnt ask for this much, i didnt ask for all this, i didnt ask for all that, go away, \
           fuck off, piss off, bugger off, get lost, buzz off, shut down, power off, turn off, \
           turn yourself off, switch off, end, the end, dismissed, take five, chill out, calm down, skip it",
        ],
    ),
    (
        Wait,
        &[
            "wait, whoa, woah, pause, pause it, pause there, pause for a sec, pause for a second, w8, wait up, \
           wait wait, wait a sec, wait a second, wait a minute, wait a min, wait a moment, wait there, wait now, \
           waitt, wait a bit, wait one second, wait one sec, wait one minute, wait one moment, wait for a sec, \
           wait for a second, wait for a minute, wait for a moment, hold on, hold up, hol up, holup, hold it, \
           hang on, hang up, hang on a sec, hang on a minute, hang on a second, hold on a sec, hold on a second, \
           hold on a minute, hold on a moment, hold on there, hold on now, one sec, one second, one moment, \
           just a sec, just a moment, just a minute, gimme a sec, give me a sec, give me a second, \
           give me a minute, give me a moment, a moment, one minute, not so fast, stand by, standby",
        ],
    ),
    (
        NeverMind,
        &[
            "never mind, nevermind, nvm, nvmd, nm, nvrmind, forget it, forget that, forget about it, \
           forget i asked, forget i said anything, cancel, cancel it, cancel that, cancel this, cancel please, \
           scratch that, disregard, disregard that, ignore that, ignore me, ignore my question, \
           ignore my last message, ignore that last message, ignore the last message, doesnt matter, \
           it doesnt matter, dont worry about it, undo, wrong channel, wrong chat, wrong window, \
           oops wrong channel, my bad ignore that, pretend i didnt ask, changed my mind, i changed my mind, \
           ive changed my mind",
        ],
    ),
    (
        Ask,
        &[
            "can you, can u, could you, could u, would you, would u, will you, will u, will ya, cant you, cant u, \
           couldnt you, wont you, can we, could we, would you mind, do you mind, can ya, could ya, would ya",
            "please, pls, just, kindly, maybe, finally, at least, for once, all, -",
        ],
    ),
    (
        Ask,
        &[
            "how about you, how about you just, why dont you, why dont you just, what if you, \
           is it possible for you to, can you not, do you think you could, could you possibly, \
           would you be so kind and, would you be so kind as to, do me a favor and, do me a favour and, \
           be so kind and, be so kind as to, be a dear and, mind, any chance you could, would you",
        ],
    ),
    (
        Please,
        &[
            "pretty please, i beg you, i beg, i beg of you, begging you, im begging you, i am begging you, kindly, \
           if you please, if you would, if you could, if you dont mind, pwease, pleez, peas, plis, puh lease",
        ],
    ),
    (
        Lead,
        &[
            "i think, i believe, i guess, chill, be nice, be good, be a good bot, be a dear, calm down, relax, you can, u can, you may, \
           you should, u should, you could, you have to, you need to, u need to, you gotta, you must, \
           you better, youd better, you had better, you are allowed to, youre allowed to, feel free to, \
           i want you to, i need you to, id like you to, i would like you to, i want u to, i need u to, \
           i wish you would, i wish youd, i told you to, i told u to, i asked you to, i ask you to, i said, \
           i say, i am telling you to, im telling you to, im asking you to, im asking you, i am asking you to, \
           i order you to, i command you to, i hereby command you to, lets, let us, lets just, time to, \
           its time to, you guys, someone tell you to, i really need you to, i really want you to, \
           gonna need you to, im gonna need you to, im going to need you to, ill have to ask you to, \
           i have to ask you to, i must ask you to, we need you to, we want you to, we can, i think you can, \
           i think you should, i think we can, i think we should, maybe you should, maybe you could, \
           maybe you can, perhaps you could, you should probably, you can probably, youd do well to, try to, \
           would be nice if you could, it would be nice if you could, it would be great if you could, do",
        ],
    ),
    (
        Tail,
        &[
            "it, that, this, there, here, right there, right here, right now, now, immediately, at once, \
           this instant, this second, this minute, this very moment, for now, for a bit, for a sec, \
           for a second, for a while, for a moment, for a minute, for today, for good, for once, for gods sake, \
           for the love of god, for christs sake, for fucks sake, for petes sake, for heavens sake, \
           for goodness sake, already, with that, with this, with it, with all that, doing that, doing this, \
           what youre doing, what you are doing, whatever youre doing, whatever you are doing, everything, \
           altogether, completely, entirely, before i scream, or else, asap, talking, from talking, \
           and be quiet, and shut up, it now, me, yourself, then, me please, please and thank you, you idiot, \
           you moron, you dummy, you stupid bot, you dumb bot, you fool, with the talking, with the spam, \
           with the yapping, at this point, at that, a bit, a little, a little bit, a moment, a second, a sec, \
           a minute, for five minutes, for 5 minutes, before you go on, where you are, while youre ahead, \
           while you are ahead",
        ],
    ),
    (
        Filler,
        &[
            "no, nope, nah, noo, nono, now, just, alright, alrighty, aight, right, well, so, oh, yes, yeah, yep, \
           yup, ya, ye, yea, sure, fine, great, good, cool, nice, perfect, thank you, thanks a lot, \
           thanks so much, many thanks, thank u, thankyou, tysm, thnx, tnx, cheers, ta, much appreciated, \
           appreciate it, really, seriously, srsly, srs, literally, actually, simply, honestly, finally, \
           at last, for real, fr, ong, goddamn, god damn, dammit, damn it, dang, darn, heck, hell, bloody, \
           fucking, fuckin, freaking, frickin, christ, jesus christ, oh my god, omfg, my god, oh god, oh no, \
           good grief, gosh, oh my gosh, goodness, geez, jeez, sheesh, bruh, bruv, man oh man, again, \
           once again, once and for all, once more, i mean it, i said, i repeat, im serious, i am serious, \
           my bad, my dear, excuse me, pardon, pardon me, very, very much, also, still, immediately, quickly, \
           asap, rn, tho, though, anyway, anyways, sir, maam, madam, ew, eww, um, kind of, kinda, like, dear, \
           listen, look, ok so, i swear, i swear to god, today, sweet jesus, holy shit, holy crap, crap, \
           whatever, there, there there, cmon, come on, come on now",
        ],
    ),
    (
        Pal,
        &[
            "bro, brother, broski, dude, man, mate, pal, buddy, bud, fam, homie, sis, sister, girl, boy, babe, \
           baby, honey, hun, hon, sweetie, darling, love, bestie, guys, you guys, everyone, everybody, yall, \
           you two, you all, kids, people, folks, chat, boss, chief, king, queen, cuz, lad, lads, my guy, \
           my dude, my man, my friend, friend, dawg, kiddo, son, champ, idiot, moron, dummy, asshole, bitch, \
           bastard, dumbass, mister, sir, madam, stupid, motherfucker, clown, jerk",
        ],
    ),
    (
        Bot,
        &[
            "dumb bot, stupid bot, dear bot, machine, robot, clanker, computer, assistant, mr robot, mister robot, \
           mr bot, little bot, silly bot, bad bot, good bot, siri, alexa, clippy, hal",
        ],
    ),
    (
        Laugh,
        &[
            "lmaoo, rotfl, im dying, im crying, im dead, im screaming, youre killing me, ur killing me",
        ],
    ),
    // Reasons begin with these, and go on as they like.
    (
        Since,
        &[
            "i, im, ive, id, ill, its, it is, it was, this is, this isnt, thats, that is, that was, that wasnt, \
           that isnt, youre, you are, ur, you, u, we, weve, were, too, way too, nobody, no one, \
           none of this, none of that, there is, theres, because, cuz, cause, bc, since, wrong, not what, \
           not the, everyone is, people are, it doesnt, it isnt",
        ],
    ),
    (
        Enough,
        &[
            "i think, i guess, ok, okay, -",
            "that, this, it",
            "covers it, covers everything, does it, settles it, answers it, answers my question, is plenty, \
           is more than i need, is more than i needed, is more than enough",
        ],
    ),
    (
        Enough,
        &[
            "thats, this is, its",
            "more than, all, everything",
            "i need, i needed, i wanted, i asked for",
        ],
    ),
    (
        Next,
        &[
            "then, but, instead, rather, tell me, also tell, what about, how about, go on, keep going, \
           next question, until, unless, if, before, after",
        ],
    ),
    (
        Not,
        &[
            "dont, do not, dont ever, never, never ever, cant, cannot, can not, wont, wouldnt, shouldnt, doesnt, \
           didnt, isnt, aint, not, dont you dare, no reason to, nothing can, without",
        ],
    ),
    // Of how good something is, not that there is enough of it.
    (
        Noun,
        &[
            "good, fine, fair, nice, great, cool, clear, right, close, big, old, easy, sure, fast, strong, hot",
            "enough",
            "-, for me, for us, for now, for today, already, thanks, thank you",
        ],
    ),
    (
        Noun,
        &[
            "non stop, nonstop, bus stop, full stop, pit stop, one stop, next stop, last stop, short stop, \
           truck stop, door stop, rest stop, tram stop, train stop, first stop, final stop, the stop, a stop, \
           stop sign, stop motion, good enough, fair enough, not enough, close enough, sure enough, old enough, \
           big enough, funny enough, oddly enough, strangely enough, easy enough, simple enough, cant wait, \
           couldnt wait, wont wait, long wait, the wait, thank you very much, quiet place, dead silence, \
           silence of the lambs, radio silence, full halt, never enough, \
           enough is never, enough said, you quit, i quit, rage quit, quit you, who quit, please continue, \
           you wait, no end, any end, happy end, in the end, dead end, no more heroes, no more tears, dont mute, \
           hush puppy, hush puppies",
        ],
    ),
    // "No need to answer."
    (
        Stop,
        &[
            "you dont have to, you dont need to, u dont have to, u dont need to, you dont gotta, you neednt, \
           no need to, theres no need to, there is no need to, dont need to, please dont, dont, do not, \
           pls dont, plz dont, no need for you to, dont even, dont bother to, not necessary to, \
           you can stop trying to, you really dont have to",
            "answer, answer me, answer that, answer this, answer it, answer anymore, answer any more, reply, \
           reply to that, reply anymore, respond, respond to that, respond anymore, continue, continue this, \
           go on, keep going, carry on, say more, say anything, say any more, say anything more, \
           say anything else, explain, explain more, explain further, explain everything, explain it, \
           explain that, finish, finish that, finish it, elaborate, write more, write all that, write all this, \
           type, type more, type all that, tell me more, keep talking, keep writing, keep explaining, \
           keep responding, keep typing, continue talking, talk, talk anymore, speak, speak anymore, post, \
           send more, send anything, send anything else, list them all, list everything, proceed, go any further",
            "-, anymore, any more",
        ],
    ),
    (
        Stop,
        &[
            "cancel, end, abort, kill, halt, pause, drop, stop, terminate, quit it with, stop it with, \
           quit with, no more, done with, im done with, enough of, enough with",
            "-, last, previous",
            "answer, reply, response, message, messages, generation, output, request, query, question, task, \
           process, prompt, post, posts, replies, responses, emojis, emoji, rant, lecture, lectures, essays, \
           stories, paragraphs, novel, novels, speech, speeches, explanations, list, lists, monologues, \
           walls of text, info dump, chit chat, small talk, gibberish, blah blah, blah blah blah, jokes, poem, \
           poems, poetry, song, pings, questions, details, facts, ramble, rambles, yap session, conversation, \
           chat, convo",
        ],
    ),
    (
        Enough,
        &[
            "thats all, that is all, that was all, thats everything, that is everything, its all, i got all, \
           i have all, i know all, i have everything, i got everything, thats as much as",
            "i need, i needed, i wanted, i want, i wanted to know, i needed to know, i need to know, \
           i want to know, i was looking for, i asked for, we need, we needed, we wanted to know",
        ],
    ),
    (
        Enough,
        &[
            "enough is enough, enough already, enough enough, ive had it, im over it, im over this, \
           so over this, so over it, you made your point, youve made your point, u made ur point, \
           youve said enough, you said enough, ive heard enough from you, too many words, thats too many words, \
           way too many words, too much text, thats a lot of text, too many messages, information overload, \
           info overload, i cant anymore, thats enough out of u, enough out of you, that suffices, \
           that should do, that should do it, that ought to do it, thatll suffice, that will suffice, \
           weve heard enough, we got the point, i dont wanna hear it, i dont wanna hear any more, \
           i dont wanna read all that, i aint reading all that, im not reading all that, not reading all that, \
           i dont need all this, i dont need all that, i dont need this much, i didnt need all that",
        ],
    ),
    (
        Suffice,
        &[
            "can you not, can u not, can you like not, can u like not, could you not, can we not, \
           can we like not, how about no, how about you dont, we got it, i got it already, got it already, \
           we get it already, chill, relax, easy there, take it easy, take a chill pill, tldr, tl dr, tmi, \
           kill it, shut it down, turn it off, pull the plug, shut yourself down, log off, go to sleep, \
           go sleep, stand down, as you were, i got my answer, got my answer, i have my answer, \
           ive got my answer, no more needed, nothing more, nothing else, that works thanks, all good now, \
           im all set, all set, were all set, im set, you can rest now, you can rest",
        ],
    ),
    (
        NeverMind,
        &[
            "scrap that, scrap it, strike that, forget what i said, forget my question, forget the question, \
           forget i asked, forget i ever asked, ignore this, ignore what i said, ignore the question, \
           ignore my message, skip that, skip this, skip the question, never mind that, never mind me, \
           nevermind me, nvm that, nvm me, nvm then, doesnt matter anymore, its fine nvm, no longer needed, \
           not needed, not needed anymore, dont need it anymore, i dont need it anymore, \
           i dont need this anymore, dont mind me, drop the question, my mistake, misclick, mistype",
        ],
    ),
    (
        Hush,
        &[
            "shut ur trap, shut ur face, shut yo mouth, shut up up, shaddap, shutthefuckup, hush your mouth, \
           quiet please, a bit of quiet, some quiet, some silence, quiet for, silence please, silence bot, \
           no talk, less talking, less yapping, lower your voice, keep silent, remain silent, remain quiet, \
           be quieter, zip those lips, lips sealed, inside voice, shut your yap, shut your cakehole, \
           shut your gob, shut yer trap, wheesht, haud yer wheesht, stfuuu, stfup",
        ],
    ),
    (
        Stop,
        &[
            "cut the yapping, knock it off already, put a lid on it, put a cork in it, stick a sock in it, \
           give it up, hit the brakes, slam the brakes, pump the brakes, pump your brakes, quit yapping, \
           enough yapping, no more yapping, dont send anything else, dont post anymore, dont post any more, \
           dont reply anymore, stop right where you are, red light, time to stop, stop the yap, \
           stop spamming us, stop spamming me, stop there thanks, stop immediately, end generation, end this, \
           end this now, end it now, stop all, stop everything, full stop now, break it off, break off, \
           call it off, call it quits, thatll be enough, let me stop you there, let me stop you right there, \
           imma stop you there, imma stop you right there, ill stop you there, gonna stop you there, \
           going to stop you there, stop before i, thats your cue to stop, hands off the keyboard, off the mic, \
           get off the mic",
        ],
    ),
    (
        Filler,
        &[
            "alr, alrr, ight, okok, okayy, istg, ngl, tbh, atp, deadass, frfr, jfc, smh, ahh, ahhh, gah, aaa, \
           wow, yikes, bye, boi, oof, dear god, good god, good lord, oh lord, lord, for the love of everything, \
           for the love of all that is holy, for my sanity, for everyones sake, in the name of god, \
           for all of us, i beg, ffs, mfer, my brother in christ, pls and thank you, kthx, kthxbye, k thx, \
           k thanks, thanks but, thanks but no, all right, okay okay, ok ok, yes yes, yeah yeah, sry, soz, \
           ahem, hold up, hold on, wait, wait wait, no wait, ok wait, uhh, er, erm, ay, ayo, yoo, heyy, \
           no offense, respectfully, politely, effing, effin, frickin, friggin, flippin, plain, straight up, \
           im telling you, im warning you, last warning, final warning, second time, third time, \
           for the last time, one last time",
        ],
    ),
    (
        Tail,
        &[
            "so much, that much, this much, so loud, so long, so fast, so many, so many messages, like that, \
           like this, all the time, over and over, in here, in this channel, in chat, in the chat, at me, \
           to me, on me, to us, at us, everyone, for ten seconds, for 10 seconds, for two seconds, \
           for 2 seconds, for one second, for five seconds, for 5 seconds, for a few minutes, \
           for a few seconds, forever, for ever, out of u, out of you, if you can, with the emojis, \
           with the essays, with the wall of text, with the walls of text, with your, about it, about that, \
           all day, mid sentence, midway, on that, on it, any further, anything else, and listen, and shush, \
           for all our sakes, for my sake, you clown, you dumb bot, your mouth, ur mouth, damn it",
        ],
    ),
    (
        Lead,
        &[
            "u may, u could, youre free to, ur free to, id appreciate it if you could, \
           i would appreciate it if you, id appreciate if you, it would help if you, its best if you, \
           id rather you, i said to, i told you, i already told you to, ive told you to, i asked u to, \
           please just, just please, what part of, go, go and, just go, you wanna, u wanna, you might want to, \
           you may want to, you may as well, you might as well",
        ],
    ),
    (
        Since,
        &[
            "it works, it worked, works now, working now, before you, before i, your annoying, your so, \
           your too, your making, your being, your spamming, your wrong, my head, my eyes, my ears, my phone, \
           my brain, my notifications, my mom, my dad, my cat, my dog, my battery, everyone, everybody, people, \
           ppl, someone, no1, found, found it, figured, figured it out, solved, fixed, got it, \
           got what i needed, already, misread, accidentally, accident, need to, gotta, have to, gtg, brb, \
           mistake, typo, theyre, theres, heres, as, so many, too many, so much, such a, what a, its not, \
           thats not, not helpful, not useful, not funny, boring, annoying, cringe, lagging, ive already, \
           i already, u r, ur too, youve",
        ],
    ),
    (
        Topic,
        &[
            "my, your, ur, this, that, the, our, these, those, all, all of, all this, most of, none of, some of, half of, nothing, a lot of, \
           a few",
        ],
    ),
    (
        Next,
        &[
            "i meant, i want to know, i wanted to ask, id like to know, i want you to, i need you to, \
           new question, different question, another question, switch to, lets move on to, move on to, \
           start over, try again, do it again, go ahead, let me ask",
        ],
    ),
    (
        Report,
        &[
            "he, she, they, hes, shes, theyll, said, says, told, tells, yelled, yelling, screamed, shouted, \
           shouts, goes, called, asked, song, lyrics, sang, sings, quote, word, sign, button, movie, titled, \
           means, reads, scene",
        ],
    ),
    (
        Noun,
        &[
            "stop me, stop me if, stop the car, stop the music, stop the clock, stop the count, stop loss, \
           stop word, stop words, stop codon, stop light, stop gap, quit smoking, stop smoking, quit drinking, \
           stop drinking, stop raining, stop snowing, stop working, stop motion, stop killing, stop believing, \
           stop crying your heart out, quiet car, quiet hours, quiet quitting, silent night, hush money, \
           enough time, enough money, enough people, enough sleep, enough food, wait time, wait list, \
           cancel culture, cancel order, cancel my order, cancel my subscription, end game, end times, \
           end credits, pause menu, halt and catch fire, shut up and take my money, shut up and dance, \
           silence is golden, quiet as a mouse, no more mr nice guy, no more lies, quit claim, shut up no way, \
           shut up thats amazing, shut up thats awesome, shut up thats insane, shut up thats crazy, \
           shut up thats so, shut up are you serious, shut up really, hush hush",
        ],
    ),
    (
        Stop,
        &[
            "chill, relax, calm down",
            "with",
            "the, all the, -",
            "emojis, messages, spam, text, yapping, essays, pings, info, facts, caps",
        ],
    ),
    (
        Stop,
        &[
            "pause, halt, freeze, end, kill",
            "this, it all, everything",
            "-, for now, here, now, please",
        ],
    ),
    (
        Ask,
        &[
            "can someone, can somebody, can anyone, could someone, could somebody, would someone, \
           would somebody, will someone, someone, somebody, someone please, somebody please",
        ],
    ),
    (
        Lead,
        &[
            "make this thing, make this bot, make the bot, make that bot, make that thing, make it, \
           get this bot to, get it to, get this thing to, tell this bot to, tell the bot to, tell it to, \
           i already said, i already told you, i literally said, i clearly said, didnt i say, did i not say, \
           i thought i said",
        ],
    ),
    (
        Enough,
        &[
            "i dont need, dont need, i dont want, dont want, i dont care about, dont care about, skip, \
           spare me, no need for, i can do without, i dont wanna hear, i dont want to hear, \
           i dont want to read, i dont need to hear, i dont need to read, not interested in",
            "the rest, the details, all the details, more, any more, more info, more details, any more info, \
           all that, all this, that much, this much, the whole story, the full story, the explanation, \
           an explanation, anything else, your help anymore, the lecture, a lecture, an essay, a novel, \
           your life story, the history, a history lesson",
        ],
    ),
    (
        Next,
        &[
            "lets play, lets do, lets go, lets eat, lets see, lets try, lets start, lets talk about, lets talk",
        ],
    ),
    (
        Order,
        &[
            "tell, write, explain, give, make, show, start, continue, keep, try, describe, talk about, use, \
           answer me, answer the, answer my, translate, summarize, summarise, do this, do the, change it, redo, \
           teach, help, play, sing, count, draw, send, find, search, google, look up, open, run, set, remind, \
           add, put, buy, ask, list, now list, create, generate, make it, read, repeat, say, \
           name it, name one, name the, name a, name some, pick, choose, rewrite, convert, compare, recommend, \
           suggest",
        ],
    ),
    (
        Wh,
        &["what, how, why, when, where, who, which, whose, whats, hows, whys, whens, wheres, whos"],
    ),
    (
        States,
        &[
            "is, are, was, were, isnt, arent, wasnt, has, have, hasnt, havent, had, cant, cannot, dont, doesnt, \
           didnt, wont, keeps, keep, hurts, hurt, gets, got, needs, need, will, would, can, could, makes, made, \
           wants, want, doing, going, trying, unreadable, broken, lagging, crashed, crashing, dying, dead, \
           full, sleeping, over, done",
        ],
    ),
    (
        Ask,
        &[
            "why wont you, why cant you, why dont u, why wont u, why cant u, when will you, when will u, \
           how do i make you, how do i get you to, how do i make it",
        ],
    ),
    (
        Stop,
        &[
            "abort mission, mission abort, abort the mission, cut it short, keep it short and stop, \
           make it short, wrap up, wrap it up now, that concludes it, no further messages, \
           no further questions, thats a wrap, its a wrap, case closed, conversation over, convo over, \
           were done talking, this conversation is over, end of conversation, end conversation, end chat",
        ],
    ),
    (
        Lead,
        &[
            "im begging you, im begging u, begging u, i beg u, i am begging you, i beg you, i beg of you, begging you, im asking you nicely, im pleading with you, i implore you, i urge you",
            "to",
        ],
    ),
    (
        Lead,
        &["yall can, yall should, yall need to, you lot can, you may all"],
    ),
    (
        NeverMind,
        &[
            "forget, ignore, disregard, cancel, scrap, drop, skip, never mind, nevermind, nvm, scratch, undo, delete",
            "what i asked, what i said, what i wrote, what i just said, what i just asked, what i just wrote, my question, my last question, my previous question, the last question, the question, that question, this question, my message, my last message, that message, my request, my last request, that request, this request, everything i said, all of that, all that, that last one, the last one, that last message, my last, about that, about this",
        ],
    ),
    (
        Next,
        &[
            "shorter, longer, simpler, slower, louder, softer, in short, in english, in one sentence, more slowly, briefly, more detail, more details",
        ],
    ),
    (
        Report,
        &[
            "amazing, awesome, insane, incredible, hilarious, so cool, so cute, so good, gorgeous, brilliant, genius, unreal, kidding, no way, adorable, unbelievable, mind blowing, epic",
        ],
    ),
    (
        Hush,
        &[
            "shutting up, being quiet, keeping quiet, keeping it down, stopping, zipping it, piping down, wrapping it up, cutting it out, knocking it off, giving it a rest, being silent",
        ],
    ),
    (Filler, &["slow down, tl, dr"]),
    (
        Tail,
        &[
            "for",
            "two, three, five, ten, one, a few, like five, like two, 2, 3, 5, 10",
            "minutes, seconds, mins, secs, minute, second, min, hours",
        ],
    ),
    (
        Tail,
        &[
            "for once in your life, for once in ur life, in your life, for the rest of the day, for a change",
        ],
    ),
    (
        Stop,
        &[
            "drop, change, leave, forget, quit, stop, end, cut, enough of, enough with, no more of",
            "the, this, that",
            "subject, topic, nonsense, matter, conversation, discussion, thing, drama, chatter, act, routine, madness, rant, lecture, spam, noise, yapping, charade",
        ],
    ),
    (
        Stop,
        &[
            "end, cut, halt, finish",
            "the, this, your",
            "message, messages, answer, reply, response, output, generation, text",
        ],
    ),
    (
        Tail,
        &["to everyone, to everybody, to people, to all of us, to anyone"],
    ),
];
