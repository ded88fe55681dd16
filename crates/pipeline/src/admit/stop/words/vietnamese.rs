//! Vietnamese. Tones tell words apart, and people also type without them:
//! `=` marks phrases that would mean something else then (dừng, đừng, đúng).

use super::WordRole::{
    And, Ask, Bot, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, Not, Noun, Pal, Please,
    Silence, Since, Stop, Suffice, Tail, Wait,
};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    (Silence, &["im lặng, yên lặng, trật tự"]),
    (And, &["và"]),
    (Stop, &["=dừng, =ngừng, =ngưng"]),
    (
        Stop,
        &[
            "dừng lại, dừng đi, dừng ngay, dừng ngay lại, dừng lại đi, dừng lại ngay, dừng nói, dừng nhé, \
           dừng thôi, dừng ở đây, dừng ở đó, dừng tại đây, dừng chút, dừng tay, dừng tí, dừng một chút, \
           dừng 1 chút, dừng giúp, dừng hộ, dừng giùm, dừng dùm, =dừng đã, =dừng rồi, =dừng mau, ngừng lại, \
           ngừng đi, ngừng ngay, ngừng nói, ngừng nói chuyện, ngừng viết, ngừng nhắn, ngừng trả lời, ngừng spam, \
           ngừng giải thích, ngưng lại, ngưng đi, ngưng ngay, ngưng nói, ngưng viết, ngưng spam, dừng viết, \
           dừng spam, dừng nhắn, dừng trả lời, stop đi, stop lại, stop ngay, stop nha, nghỉ đi, nghỉ nói đi, \
           nghỉ chút đi, kết thúc đi, kết thúc ở đây, kết thúc tại đây, chấm dứt, chấm dứt đi, chấm dứt ngay, \
           hết đi, tới đây thôi, tới đó thôi, đến đây thôi, đến đó thôi, đến đây là được, tới đây là được, \
           đến đây được rồi, tới đây được rồi, hôm nay đến đây thôi, tha cho tôi, tha cho tôi đi, tha cho tao, \
           tha cho mình, tha cho em, tha đi, để yên cho tôi, để tôi yên, để tao yên, để mình yên",
        ],
    ),
    // "Don't talk any more."
    (
        Stop,
        &[
            "đừng, đừng có, thôi đừng, không cần, ko cần, k cần, khỏi, khỏi cần, khỏi phải, không phải, thôi khỏi, \
           không được, bớt, cấm, không, ko, k",
            "nói, viết, nhắn, trả lời, giải thích, gửi, spam, kể, tiếp tục, lải nhải, lảm nhảm, nói chuyện, \
           nói nhảm, làm ồn, ồn ào, ồn, nhắn tin, rep, xàm, sủa, dài dòng, nhiều lời, phiền, làm phiền, \
           làm phiền tôi, gõ, nói dài, viết dài, luyên thuyên, lắm lời, lèm bèm",
            "nữa, thêm nữa, nữa đâu, tiếp, tiếp nữa, thêm, lại, nhiều, nhiều nữa, thêm gì nữa, gì nữa, gì thêm, \
           lung tung nữa",
        ],
    ),
    (
        Stop,
        &[
            "đừng, bớt, thôi, thôi đừng, đừng có",
            "nói chuyện, lải nhải, lảm nhảm, spam, làm ồn, ồn ào, ồn, nói nhảm, xàm, dài dòng, nhiều lời, \
           phiền tôi, làm phiền tôi, làm phiền, nhây, nói, tiếp tục, lắm lời, luyên thuyên, sủa, mồm, \
           nói linh tinh, xạo, cà khịa",
            "-",
        ],
    ),
    (
        Hush,
        &[
            "im, im đi, im lặng, im lặng đi, im ngay, im mồm, im mồm đi, im miệng, im miệng đi, im coi, im nào, \
           im re, im giùm, im dùm, im hộ, im lặng nào, im lặng coi, im lặng chút, im lặng chút đi, im lặng giùm, \
           im lặng một chút, im chút đi, im mẹ đi, im mẹ mồm, im cái mồm, im cái miệng, câm, câm đi, câm mồm, \
           câm miệng, câm họng, câm mồm lại, câm cái mồm, câm mẹ mồm, nín, nín đi, nín mồm, nín ngay, ngậm mồm, \
           ngậm mồm lại, ngậm miệng, ngậm miệng lại, ngậm cái mồm lại, khóa mồm, khóa mõm, khoá mồm, \
           đóng mồm lại, trật tự, trật tự đi, trật tự nào, giữ trật tự, yên lặng, yên lặng đi, yên lặng nào, \
           yên lặng chút, yên lặng giùm, yên nào, giữ im lặng, suỵt, suỵttt, xuỵt, shh, sh, suyt, bớt mồm, \
           bớt cái mồm, bé mồm, bé cái mồm lại, nhỏ tiếng, nói ít, nói ít thôi, ồn quá, ồn ào quá, nhức đầu quá, \
           điếc tai quá, nói nhiều quá, nói lắm thế, nói lắm, lắm mồm, lắm mồm quá, nhiều chuyện quá, shut up, \
           mày im đi",
        ],
    ),
    (
        Enough,
        &[
            "đủ rồi, đủ rồi đó, đủ rồi đấy, đủ rùi, đủ r, đủ gòi, thế đủ rồi, vậy đủ rồi, thế là đủ, vậy là đủ, \
           vậy là đủ rồi, thế là đủ rồi, như vậy là đủ, như vậy đủ rồi, thế thôi, vậy thôi, bấy nhiêu đủ rồi, \
           nhiêu đó đủ rồi, nhiêu đây đủ rồi, quá đủ, quá đủ rồi, đủ lắm rồi, nghe đủ rồi, biết đủ rồi, \
           đủ thông tin rồi, đủ cho hôm nay, thôi, thôi đi, thôi ngay, thôi ngay đi, thôi nào, thôi mà, thôi đủ, \
           thôi được rồi, thôi thôi, thoi, thôi dừng, thui, thui đi, thôi nha, thôi nhé, thôi dùm, thôi giùm, \
           thôi cho, thôi hết, được rồi đủ, được rồi dừng, hiểu rồi thôi, biết rồi khổ lắm nói mãi, \
           biết rồi nói mãi, khổ lắm nói mãi, dài quá, dài quá rồi, dài dòng quá, nhiều quá, nhiều quá rồi, \
           mệt quá rồi, chán rồi, chán lắm rồi, không muốn nghe, không muốn nghe nữa, ko muốn nghe nữa, \
           k muốn nghe nữa, không muốn đọc nữa, tôi không muốn nghe nữa, mình không muốn nghe nữa, \
           tao không muốn nghe nữa, không cần nữa, ko cần nữa, k cần nữa, không cần thêm, không cần thêm nữa, \
           hông cần nữa, hết chịu nổi, chịu hết nổi, chịu hết nổi rồi, hết chịu nổi rồi, không chịu nổi nữa, \
           tôi đủ rồi, tao đủ rồi",
        ],
    ),
    (
        Suffice,
        &[
            "được rồi, đc rồi, dc rồi, vậy được rồi, thế được rồi, không cần, ko cần, không cần đâu, ko cần đâu, \
           không cảm ơn, không quan tâm, không ai hỏi, ai hỏi, biến, biến đi, cút, cút đi, đi chỗ khác, \
           đi ngủ đi, bình tĩnh, bình tĩnh nào, hết, hết rồi, xong, xong rồi, lúc khác",
        ],
    ),
    (
        Wait,
        &[
            "khoan, khoan đã, khoan khoan, khoan nào, khoan chút, chờ, chờ đã, chờ chút, chờ tí, chờ xíu, \
           chờ một chút, chờ 1 chút, chờ một lát, chờ một tí, đợi, đợi đã, đợi chút, đợi tí, đợi xíu, \
           đợi một chút, đợi 1 chút, đợi một lát, đợi một tí, từ từ, từ từ đã, từ từ nào, tạm dừng, tạm ngừng, \
           tạm ngưng, dừng tạm, một chút, chút đã, gượm, gượm đã, hượm đã, từ đã, nghỉ chút, đợi mình chút, \
           đợi tôi chút, chờ mình chút, chờ tôi chút, chậm lại",
        ],
    ),
    (
        NeverMind,
        &[
            "hủy, huỷ, hủy đi, huỷ đi, hủy bỏ, huỷ bỏ, bỏ đi, bỏ qua, bỏ qua đi, quên đi, quên nó đi, kệ đi, \
           kệ nó, kệ nó đi, kệ, không có gì, ko có gì, không sao, không sao đâu, thôi bỏ đi, thôi bỏ, thôi kệ, \
           thôi khỏi, khỏi, khỏi đi, hỏi nhầm, nhầm kênh, nhầm chat, nhắn nhầm, gửi nhầm, không hỏi nữa, \
           thôi không cần, thôi không cần nữa, thôi không hỏi nữa",
        ],
    ),
    (
        Ask,
        &[
            "được không, dc không, đc không, được ko, đc ko, được k, đc k, dc ko, được hông, có thể, bạn có thể, \
           mày có thể, em có thể, bot có thể, có được không, được chứ, được chưa, nhé, nha, bạn có thể nào, \
           được hem, bạn có thể vui lòng",
        ],
    ),
    (
        Please,
        &[
            "làm ơn, làm ơn đi, xin, xin bạn, xin mày, xin đấy, xin đó, làm phước, vui lòng, xin vui lòng, please, \
           plz, lạy, lạy hồn, lạy bạn, lạy mày, con lạy, van, van xin, tôi xin, em xin, van bạn, van mày, \
           cầu xin, năn nỉ, giùm, giùm cái, dùm, dùm cái, hộ cái, hộ, giúp, phiền bạn, làm ơn làm phước, \
           tôi van bạn, tao xin mày, tôi xin bạn, tôi lạy bạn",
        ],
    ),
    (
        Filler,
        &[
            "đi, ạ, á, nhé, nhe, nha, nhá, nghen, nghe, nghe chưa, với, mà, đó, đấy, kìa, này, nè, nào, coi, xem, \
           hen, hả, ha, à, ừ, ừm, ờ, ơ, ủa, ôi, ối, ôi trời, trời, trời ơi, chời ơi, giời ơi, trời đất, \
           trời đất ơi, má ơi, mẹ ơi, chúa ơi, ơi, ê, ê này, này này, hey, ok, oke, okie, oki, ok rồi, được rồi, \
           đc rồi, dc rồi, rồi, r, rồi rồi, rùi, gòi, biết rồi, hiểu rồi, tôi hiểu rồi, mình hiểu rồi, \
           em hiểu rồi, tao hiểu rồi, rõ rồi, vâng, dạ, dạ thôi, ngay, ngay đi, ngay lập tức, lập tức, \
           ngay bây giờ, bây giờ, luôn, luôn đi, liền, liền đi, mau, mau lên, nhanh, nhanh lên, lẹ, lẹ đi, hết, \
           thật, thật sự, thật đấy, thiệt, chút, chút đi, một chút, một lát, một lúc, một tí, 1 chút, tí, xíu, \
           tý, lát, cái, cái đi, giúp tôi, giúp mình, giúp tớ, cho tôi, cho tao, cho mình, cho tôi nhờ, \
           cho tao nhờ, cho em, cám ơn, cảm ơn, cảm ơn bạn, cám ơn bạn, cảm ơn nhiều, cảm ơn nha, cảm ơn nhé, \
           tks, thanks, xin lỗi, sorry, vậy, thế, vậy đi, thế đi, hôm nay, hãy, thì, là, ở đây, ở đó, tại đây, \
           đây, lại, lại đi, lại nào, tôi bảo, tao bảo, tao nói, tôi nói, đã bảo, đã nói, tao đã bảo, đm, đmm, \
           vcl, vl, vãi, clm, dm, má, mẹ, mẹ nó, đcm, cmn, hộ tôi, dùm tôi, giùm tôi, dùm tao, giùm tao, bạn, \
           mày, em, anh, chị, cậu, ông, bà, mấy, cưng, bạn ơi, mày ơi, em ơi, anh ơi, cậu ơi, ơi là trời, đê, \
           đuê, hông, đi mà, đi nào, đi ạ, đi nhé, tạm, nữa, quá, bạn nhé, bạn nha",
        ],
    ),
    (
        Tail,
        &[
            "nói chuyện, nói, viết, nói nữa, viết nữa, trả lời, giải thích, việc đó, việc này, spam, nhắn tin, kể, \
           làm vậy, trò này, mọi thứ, mồm, miệng, họng, mồm lại, cái mồm, cái miệng",
        ],
    ),
    (
        Lead,
        &[
            "tôi muốn bạn, mình muốn bạn, tao muốn mày, bạn nên, mày nên, bạn hãy, mày hãy, hãy, cần, nên, phải, \
           bạn phải, đến lúc, bạn có thể, tôi yêu cầu bạn, yêu cầu bạn, tôi nghĩ, mình nghĩ, thôi, chúng ta, ta, \
           tới lúc, làm ơn hãy",
        ],
    ),
    (
        Pal,
        &[
            "ông ơi, bà ơi, bro, mọi người, mọi người ơi, anh em, các bạn, tụi mày, bọn mày, hai đứa, hai người, \
           đồ ngu, ngu, thằng ngu, con điên, thằng điên, đồ điên, thằng này, thằng bot, con bot, má ơi, bố, \
           bố ơi, cha, cha nội, bà nội, chó, con chó, cu, cu em, fen, thím, bác",
        ],
    ),
    (
        Bot,
        &[
            "bot, bot ơi, con bot, rô bốt, robot, máy, trợ lý, trí tuệ nhân tạo, em bot, bot à, bạn bot, bé bot",
        ],
    ),
    (Laugh, &["haha, hihi, kkk, hahaha, hehe, =)), kkkk"]),
    (
        Since,
        &[
            "tôi, tui, mình, tao, tớ, em, con, dài, nhiều, ồn, mệt, nhức đầu, đau đầu, chán, sai, không ai, ko ai, \
           không đúng, phiền, bạn nói, mày nói, nói, vì, tại, rối, không hiểu, không phải, buồn ngủ, đọc",
        ],
    ),
    (
        Next,
        &[
            "và, rồi kể, kể, nói cho, nói về, viết cho, giải thích, hãy kể, thay vào đó, thay vì, nhưng, tiếp tục, \
           tiếp đi, nói tiếp, viết tiếp, kể tiếp, gì, sao, tại sao, thế nào, như thế nào, khi nào, bao giờ, \
           ở đâu, ai, nếu, cho đến khi, trước khi, sau đó, còn",
        ],
    ),
    (
        Not,
        &[
            "đừng, đừng dừng, đừng dừng lại, đừng ngừng, đừng ngừng lại, đừng thôi, đừng im lặng, đừng im, \
           đừng ngưng, đừng chờ, đừng đợi, đừng bỏ, đừng hủy, không dừng, không dừng lại, không ngừng, \
           không thể dừng, không thể dừng lại, chưa, chẳng, chưa đủ, không đủ, ko đủ, chả, chớ, không, ko, hổng, \
           dừng dừng lại, không im, dung dung, dung ngung, dung dung lai, dung ngung lai",
        ],
    ),
    (
        Noun,
        &[
            "im lặng là, yên lặng là, im lặng quá, yên lặng quá, im quá, trạm dừng, điểm dừng, bến dừng, \
           trạm dừng chân, dừng chân, dừng xe, biển dừng, đèn đỏ dừng, không ngừng nghỉ, đủ tiền, đủ tuổi, \
           im lìm, thôi nôi, thôi miên, thôi việc, mà thôi, thôi thì, chờ mong, chờ đợi, đợi mình với, \
           chờ mình với, đợi tôi với, im ru, yên bình, hết tiền, hết giờ, hết hàng, xong chưa, đủ chưa, \
           được chưa, ai đó, hay thôi, hay quá, vui quá, nhiều quá trời, được không thôi",
        ],
    ),
];
