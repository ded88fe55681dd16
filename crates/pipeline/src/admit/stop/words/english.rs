//! English.

use super::WordRole::{
    And, Ask, Bot, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, Not, Noun, Pal, Please,
    Silence, Since, Stop, Suffice, Tail, Wait,
};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    (Silence, &["quiet, silence"]),
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
        Stop,
        &[
            "stop, quit, cease, stop with, enough with, enough of, enough, lay off",
            "-, the, all the, this, all this, that, all that, your, ur",
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
           flooding the chat, flooding chat, spamming the chat, spamming chat",
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
           zip, mute, just zip it, a little quiet, be quite",
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
            "can you, can u, could you, could u, would you, would u, will you, will u, cant you, cant u, \
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
           that isnt, youre, you are, ur, your, you, u, we, weve, were, too, way too, my, nobody, no one, \
           none of this, none of that, there is, theres, because, cuz, cause, bc, since, wrong, not what, \
           not the, everyone is, people are, it doesnt, it isnt, this",
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
            "then, but, instead, tell, write, explain, give, make, show, start, continue, keep, rather, try, \
           describe, talk about, tell me, lets talk, what, how, why, when, where, who, which, what about, \
           how about, also tell, go on, keep going, next question, until, unless, if, before, after, when",
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
];
