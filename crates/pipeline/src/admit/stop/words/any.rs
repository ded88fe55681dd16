//! What is said in every language, and what characters stand for others.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::WordRole::{Bot, Filler, Gesture, Halt, Laugh, Please, Sign, Tag};
use super::WordTable;

pub(in super::super) const TABLE: WordTable = &[
    (
        Halt,
        &[
            "stop, stopp, stpo, sotp, tsop, stp, stopo, stap, stahp, stawp, stahpp, stoppp, st0p, sttop, stopppp, \
           stoop, stob",
        ],
    ),
    (Sign, &["🛑, ⏹, ⛔"]),
    (Gesture, &["✋, 🤚, 🖐, 🤫, 🤐, 🚫, ⏸, 🔇, 🙅, 🙊"]),
    (Bot, &["bot, robot, chatbot, ai, gpt, chatgpt"]),
    (
        Please,
        &["please, pls, plz, plss, plzz, pleas, pleaze, plese, pelase"],
    ),
    (Tag, &["ok, okay, okey, okie, oki, oke, k, kk"]),
    (
        Filler,
        &[
            "sorry, hey, hi, hello, oi, oh, ah, eh, hmm, hm, uh, um, thx, \
           ty, thanks, omg, wtf, ffs, jesus, god, yo, ya, argh, ugh, fuck, shit, damn, 1, 2",
        ],
    ),
    (
        Laugh,
        &[
            "lol, lmao, lmfao, rofl, haha, hahaha, hahahaha, hehe, xd, kkkk, jaja, jajaja, lel, mdr, ptdr",
        ],
    ),
];

/// Signs that mean stop, and the names that Discord gives them.
const SIGNS: &[(char, &[&str])] = &[
    ('🛑', &["octagonal_sign", "stop_sign"]),
    ('⏹', &["stop_button"]),
    ('⛔', &["no_entry"]),
    ('✋', &["raised_hand"]),
    ('🤚', &["raised_back_of_hand"]),
    ('🖐', &["hand_splayed"]),
    ('🤫', &["shushing_face", "shush"]),
    ('🤐', &["zipper_mouth", "zipper_mouth_face"]),
    ('🚫', &["no_entry_sign"]),
    ('⏸', &["pause_button"]),
    ('🔇', &["mute"]),
    ('🙅', &["no_good", "person_gesturing_no"]),
    ('🙊', &["speak_no_evil"]),
];

pub(in super::super) fn is_sign(c: char) -> bool {
    SIGNS.iter().any(|(sign, _)| *sign == c)
}

/// The sign that Discord shows for `:name:`.
pub(in super::super) fn sign_called(name: &str) -> Option<&'static str> {
    let known = SIGNS.iter().find(|(_, names)| names.contains(&name))?;
    "🛑 ⏹ ⛔ ✋ 🤚 🖐 🤫 🤐 🚫 ⏸ 🔇 🙅 🙊"
        .split(' ')
        .find(|sign| sign.starts_with(known.0))
}

/// Traditional characters of the tables, each before its simplified one.
const TRADITIONAL: &str = "別别說说講讲話话夠够閉闭嗎吗請请煩烦聽听來来寫写發发會会時时間间對对謝谢個个關关機机讓让靜静這这麼么給给過过還还點点廢废們们開开繼继續续後后無无囉啰嘮唠嘍喽噓嘘號号趕赶緊紧夢梦終终結结暫暂煩烦託托佔占嚕噜錯错長长貼贴圖图釋释復复覆复應应邊边裡里裏里樣样嗶哔親亲爺爷媽妈哎哎樓楼幫帮勞劳駕驾問问題题為为甚什兩两幾几從从輸输筆笔麼么嘰叽講讲靜静暈晕沒没誰谁訊讯單单擾扰";

/// The simplified form of a character.
pub(in super::super) fn simplified(c: char) -> char {
    static PAIRS: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
        let mut characters = TRADITIONAL.chars();
        std::iter::from_fn(|| characters.next().zip(characters.next())).collect()
    });
    PAIRS.get(&c).copied().unwrap_or(c)
}
