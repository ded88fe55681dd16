//! A few words of other languages, as far as they say it plainly.

use super::WordRole::{Enough, Filler, Hush, NeverMind, Not, Please, Stop, Wait};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    // Italian
    (
        Stop,
        &["fermati, fermo, ferma, smettila, smetti, smettetela, finiscila, piantala"],
    ),
    (
        Hush,
        &[
            "zitto, zitta, stai zitto, stai zitta, sta zitto, silenzio, taci, chiudi il becco, chiudi la bocca",
        ],
    ),
    (
        Enough,
        &["basta, basta così, adesso basta, ora basta, abbastanza"],
    ),
    (Wait, &["aspetta, un attimo, un momento"]),
    (NeverMind, &["lascia perdere, annulla, fa niente"]),
    (Please, &["per favore, ti prego, perfavore"]),
    (
        Filler,
        &["dai, adesso, ora, subito, grazie, ma, va bene, per piacere"],
    ),
    // Dutch
    (
        Stop,
        &["hou op, houd op, hou eens op, hou nou op, ophouden, stop ermee, kap ermee, kappen"],
    ),
    (
        Hush,
        &["stil, wees stil, hou je mond, hou je bek, hou je kop, stilte, zwijg"],
    ),
    (
        Enough,
        &["genoeg, zo is het genoeg, dat is genoeg, het is genoeg"],
    ),
    (Wait, &["wacht, wacht even, wacht eens, momentje"]),
    (
        Filler,
        &["alsjeblieft, aub, nou, nu, even, dank je, bedankt, eens, toch, maar, nee"],
    ),
    // Polish
    (
        Stop,
        &["przestań, przestan, przestańcie, skończ, stój, zatrzymaj się"],
    ),
    (
        Hush,
        &["cicho, cisza, zamknij się, bądź cicho, milcz, ucisz się"],
    ),
    (Enough, &["dość, wystarczy, starczy, już wystarczy, dosyć"]),
    (Wait, &["czekaj, poczekaj, chwila, zaczekaj"]),
    (
        Filler,
        &["proszę, już, dzięki, dziękuję, teraz, dobra, nie nie"],
    ),
    // Turkish
    (
        Stop,
        &["dur, durun, dur artık, kes, kes şunu, kes artık, bırak"],
    ),
    (Hush, &["sus, sus artık, sessiz ol, susun, kes sesini"]),
    (Enough, &["yeter, yeter artık, bu kadar yeter, tamam yeter"]),
    (Wait, &["bekle, bir saniye, bi dakika, bir dakika"]),
    (Filler, &["lütfen, artık, tamam, teşekkürler, ya, hemen"]),
    // Ukrainian
    (
        Stop,
        &["зупинись, зупиніться, припини, припиніть, перестань, стій, годі"],
    ),
    (Hush, &["замовкни, мовчи, стули пельку, помовч"]),
    (Enough, &["досить, вистачить, годі вже, досить вже"]),
    (Wait, &["зачекай, почекай, чекай, хвилинку"]),
    (Filler, &["будь ласка, вже, дякую, ну, зараз, добре"]),
    // Indonesian
    (Stop, &["berhenti, stop dong, hentikan, setop, udahan"]),
    (
        Hush,
        &["diam, diamlah, diem, diem dong, tutup mulut, jangan berisik, berisik"],
    ),
    (Enough, &["cukup, sudah cukup, udah cukup, sudah, udah"]),
    (Wait, &["tunggu, tunggu dulu, sebentar, bentar"]),
    (
        Filler,
        &["tolong, dong, ya, terima kasih, makasih, sekarang, deh, lah"],
    ),
    (Not, &["non, niet, nie, jangan, не, durma"]),
];
