//! Vietnamese. Tones tell words apart, and people also type without them:
//! `=` marks phrases that would mean something else then (dừng, đừng, đúng).

use super::WordRole::{
    And, Ask, Bot, Cease, Enough, Filler, Hush, Laugh, Lead, NeverMind, Next, Not, Noun, Pal,
    Please, Report, Silence, Since, Spare, Stop, Suffice, Tag, Tail, Topic, Urge, Wait,
};
use super::WordTable;

pub(super) const TABLE: WordTable = &[
    (
        Urge,
        &[
            "bạn có thể, bạn, có thể, cậu có thể, mày có thể",
            "ngừng, dừng, ngưng, thôi, đừng, im, im lặng, dừng lại, ngừng lại",
            "-, nói, viết, trả lời, nhắn, spam",
            "được không, không, được không ạ, được chứ",
        ],
    ),
    (
        Urge,
        &[
            "dừng lại nhé, dừng nhé, thôi nhé, ngừng nhé, ngừng lại nhé, dừng lại nha, thôi nha, im nhé",
        ],
    ),
    (Laugh, &["haha, hihi, kkk, hahaha, hehe, =)), kkkk"]),
    (
        Noun,
        &[
            "dừng hình, đừng viết tắt, đừng viết hoa, không cần cảm ơn, không cần lo, không cần vội, không cần gấp, không cần đường, người câm",
        ],
    ),
    (
        Noun,
        &["máy khoan, mũi khoan, khoan tường, khoan giếng, khoan dung, khoan nhượng"],
    ),
    (
        Noun,
        &[
            "chờ em, chờ anh, chờ tôi, chờ mình, đợi em, đợi anh, đợi tôi, đợi mình",
            "nhé, với, nha, -",
        ],
    ),
    (
        Noun,
        &["đừng nói thế, đừng nói vậy, đừng nói dối, đừng nói xấu, đừng viết sai, trời im gió"],
    ),
    (Noun, &["chậm lại, chậm lại chút, chậm thôi"]),
    (
        Tag,
        &[
            "ok, okay, oki, okey, nhé, nha, nhá, nghe, nghe chưa, hiểu chưa, hiểu không, được, ha, đi",
        ],
    ),
    (
        Spare,
        &[
            "bớt mấy, bớt cái, bớt mấy cái, đủ mấy, thôi mấy, thôi cái, thôi mấy cái, dẹp mấy, dẹp cái, dẹp mấy cái",
        ],
    ),
    (
        Cease,
        &["=ngừng ngay việc, =dừng ngay việc, dừng việc, ngừng việc"],
    ),
    (
        Noun,
        &[
            "đủ rồi thì, đủ rồi hả, đủ rồi à, đủ chưa vậy, ngừng bắn, ngừng thở, ngừng cười, dừng cười, \
           ngừng yêu, ngừng chơi game, ngừng hút thuốc, ngừng hoạt động, tắt đèn, tắt nhạc, cắt tóc, cắt giảm, \
           cắt bánh, thôi kể tiếp, thôi mà kể, thôi được, bỏ qua cho, im thin thít, khỏi bệnh, khỏi ốm, \
           khỏi cúm, khỏi chưa, khỏi hẳn",
        ],
    ),
    (Silence, &["mute, im lặng, yên lặng, trật tự"]),
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
           im lặng một chút, im chút đi, im mẹ đi, im mẹ mồm, im cái mồm, im cái miệng, =câm, câm đi, câm mồm, \
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
           không cảm ơn, không quan tâm, không ai hỏi, ai hỏi, biến, biến đi, =cút, cút đi, đi chỗ khác, \
           đi ngủ đi, bình tĩnh, bình tĩnh nào, =hết, hết rồi, xong, xong rồi, lúc khác",
        ],
    ),
    (
        Wait,
        &[
            "khoan, khoan đã, khoan khoan, khoan nào, khoan chút, =chờ, chờ đã, chờ chút, chờ tí, chờ xíu, \
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
           kệ nó, kệ nó đi, =kệ, không có gì, ko có gì, không sao, không sao đâu, thôi bỏ đi, thôi bỏ, thôi kệ, \
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
           ngay bây giờ, bây giờ, luôn, luôn đi, liền, liền đi, mau, mau lên, nhanh, nhanh lên, lẹ, lẹ đi, =hết, \
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
            "nói chuyện, nói, viết, nói nữa, viết nữa, trả lời, giải thích, việc đó, việc này, spam, nhắn tin, \
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
    // "No need to answer."
    (
        Stop,
        &[
            "đừng, khỏi, khỏi cần, không cần, ko cần, k cần, hông cần, không cần phải, không phải, \
           thôi không cần, thôi khỏi, thôi khỏi cần, chẳng cần, đâu cần, không nên, xin đừng, làm ơn đừng",
            "trả lời, rep, nói, viết, giải thích, nhắn, gửi, kể, tiếp tục, nói tiếp, viết tiếp, trả lời tiếp, \
           kể tiếp, giải thích tiếp, giải thích thêm, nói thêm, viết thêm, trả lời thêm, làm tiếp, liệt kê, \
           nhắn tin, spam, dài dòng",
            "-, đâu, làm gì, cho mệt, chi, chi cho mệt, đâu nha, đâu nhé, luôn, gì hết, gì cả, gì đâu",
        ],
    ),
    (
        Stop,
        &[
            "hủy, huỷ, hủy bỏ, dừng, ngừng, ngưng, =tắt, =cắt, kết thúc, chấm dứt, =bỏ",
            "-, cái, cái này, luôn, =hết, ngay",
            "câu trả lời, câu hỏi, yêu cầu, lệnh, tin nhắn, cuộc trò chuyện, trò chuyện, giải thích, bài văn, \
           bài viết, spam, câu chuyện, đoạn chat, chủ đề này, trò này",
            "-, đi, lại, này, đó",
        ],
    ),
    (
        Urge,
        &[
            "im được không, im được chưa, im được chứ, im đi được không, im đi được chưa, dừng được không, \
           dừng được chưa, dừng lại được không, dừng lại được chưa, thôi được không, thôi được chưa, \
           ngừng được không, ngừng được chưa, nín được không, câm được không, im lặng được không, \
           yên lặng được không, bớt nói được không, có im không, có im đi không, có thôi đi không, \
           có thôi không, có dừng lại không, mày có im không, mày có im đi không, có thể im không, \
           có thể dừng không, có thể dừng lại không, có thể im lặng không, đủ chưa",
        ],
    ),
    (
        Stop,
        &[
            "phanh lại, phanh, thắng lại, hãm phanh, hãm lại, =hãm, dừng xíu, dừng xíu đi, dừng cuộc chơi, \
           dừng lại nào, dừng lại nha, dừng lại nhé, dừng lại giùm, dừng lại dùm, dừng liền, dừng lẹ, \
           dừng luôn, dừng luôn đi, dừng cái coi, ngừng luôn, ngừng luôn đi, ngừng lại ngay, \
           ngừng giùm, ngừng dùm, ngưng giùm, ngưng dùm, ngưng lại đi, ngưng liền, ngưng luôn, stop dùm, \
           stop giùm, stop luôn, stop liền, stop nhé, stop here, =dẹp, dẹp đi, dẹp ngay, dẹp luôn, dẹp giùm, \
           =tắt, tắt đi, tắt giùm, tắt máy, tắt máy đi, tắt nguồn, tắt mic, tắt mic đi, =cắt, cắt đi, off đi, \
           =nghỉ, nghỉ ngay, nghỉ thôi, nghỉ khỏe, nghỉ khoẻ, nghỉ giùm, nghỉ dùm, đi nghỉ đi, kết thúc, \
           kết thúc thôi, kết thúc luôn, kết thúc nha, kết thúc nhé, chốt lại đây, chốt ở đây, đến đây là hết, \
           đến đây là đủ, tới đây là đủ, tới đây đủ rồi, đến đây đủ rồi, tới đây thôi nha, dừng ở đây nha, \
           dừng ở đây nhé, dừng ở đây thôi, dừng ở đây được rồi, thế thôi dừng, đừng mà, đừng đừng, đừng nữa, \
           thôi đừng nữa, đừng làm nữa, đừng thế nữa, đừng vậy nữa, đừng ồn, đừng nói gì, đừng nói gì hết, \
           đừng nói gì cả, đừng lên tiếng, không nói nữa, thôi không nói nữa, tha cho bố, tha cho anh, \
           tha cho chị, tha mình đi, tha tui đi, tha cho tui, tha cho tui đi, thôi em xin, thôi tôi xin, \
           thôi xin, thôi tao xin, xin hàng, xin dừng, xin ngừng, xin ngưng, xin thôi, để tui yên, để em yên, \
           để anh yên, để yên, để yên đi, cho tôi yên, cho tao yên, cho mình yên, cho tui yên, cho yên, \
           cho yên đi, cho xin, cho tôi xin, cho tao xin, cho em xin",
        ],
    ),
    (
        Hush,
        &[
            "nín họng, nín ngay đi, nín giùm, nín dùm, nín liền, =ngậm, ngậm đi, ngậm mỏ, ngậm mỏ lại, câm mỏ, \
           câm mỏ lại, câm ngay, câm luôn, câm cái, câm cái mỏ, câm cái họng, câm giùm, im mỏ, im mỏ đi, \
           im họng, im luôn, im luôn đi, im liền, im xíu, im xíu đi, im tí, im tí đi, im chút, im một chút, \
           im phát, im giùm cái, im dùm cái, im hết, im bớt, im bớt đi, im lặng hết, im lặng dùm, im lặng xíu, \
           im lặng tí, im lặng ngay, im lặng một lát, khép mỏ, khép miệng, khép mồm, khép cái mỏ, khóa miệng, \
           khóa mỏ, khóa mỏ lại, khoá mỏ, bịt miệng, bịt mồm, ngưng sủa, bớt sủa, bớt nói, bớt nói lại, \
           bớt nói đi, bớt lại, bớt đi, bớt bớt, bớt giùm, bớt dùm, bớt bớt lại, bớt lắm mồm, bớt lảm nhảm, \
           bớt xàm, bớt xàm đi, nói ít lại, nói bớt lại, nói vừa thôi, nói nhỏ thôi, be bé cái mồm, nhỏ mồm, \
           nhỏ tiếng lại, nhỏ tiếng thôi, trật tự coi, trật tự giùm, trật tự chút, yên coi, yên đi, yên chút, \
           yên chút đi, yên lặng coi, yên lặng tí, yên lặng giùm cái, giữ yên lặng, giữ yên lặng đi, mute đi, \
           mute, tự mute đi, ồn quá đi, ồn ào thế, =ồn thế, ồn vãi, ồn vl, ồn ghê, phiền quá, phiền vl, \
           phiền ghê, phiền phức quá, nhức đầu ghê, nhức cả đầu, đau đầu quá, mệt quá, mệt ghê, nói nhiều thế, \
           nói nhiều vậy, nói nhiều vl, nói nhiều ghê, nói lắm vậy, nói lắm quá, nói dai, nói dai quá, nói mãi, \
           nói hoài, nói hoài vậy, viết nhiều thế, viết nhiều quá, viết lắm thế, viết dài thế, nhắn nhiều quá, \
           nhắn lắm thế, lắm lời, lắm lời quá, lắm chuyện, nhiều lời, nhiều lời quá, to mồm",
        ],
    ),
    (
        Enough,
        &[
            "thôy, thui nha, thui nhé, thui thui, thôi thôi thôi, thôi được rồi đó, \
           thôi đủ rồi đó, thôi stop, thôi nghỉ, thôi nghỉ đi, thôi ngưng, thôi ngừng, thôi im, thôi im đi, \
           thôi dừng lại, thôi dừng đi, thôi hiểu rồi, thôi biết rồi, thôi rõ rồi, thôi ok rồi, thôi ok, \
           thôi vậy đủ rồi, thôi vậy được rồi, thôi thế thôi, thôi thế đủ rồi, thôi cảm ơn, thôi cảm ơn nha, \
           =đủ, đủ nha, đủ nhé, đủ đó, đủ đấy, đủ luôn, đủ xài rồi, đủ dùng rồi, đủ hiểu rồi, đủ biết rồi, \
           đủ thông tin, đủ nghe rồi, vầy đủ rồi, vầy là đủ, vầy được rồi, vậy là được rồi, vậy là ok rồi, \
           thế là được rồi, thế là ok rồi, nhiêu đó thôi, nhiêu đó được rồi, nhiêu đây thôi, \
           nhiêu đây được rồi, bấy nhiêu thôi, bấy nhiêu là đủ, bấy nhiêu đó đủ rồi, chừng đó đủ rồi, \
           chừng đó là đủ, chừng đó thôi, từng đó đủ rồi, hiểu rồi mà, biết rồi mà, biết rồi biết rồi, \
           hiểu rồi hiểu rồi, biết rồi khổ lắm, khổ lắm biết rồi, có câu trả lời rồi, tìm ra rồi, tìm được rồi, \
           giải quyết xong rồi, xong rồi khỏi, nhiều chữ quá, chữ nhiều quá, nhiều chữ thế, lắm chữ thế, \
           lắm chữ quá, dài thế, dài vãi, dài vl, dài vậy, dài ghê, dài như sớ, dài như cái sớ, sớ dài quá, \
           đọc không nổi, đọc ko nổi, đọc không kịp, đọc không hết, đọc mệt quá, đọc mỏi mắt quá, lười đọc, \
           lười đọc quá, không đọc đâu, không đọc nổi, nghe mệt quá, nghe mệt rồi, nghe chán rồi, nghe mãi rồi, \
           ngán rồi, ngán lắm rồi, ngán quá rồi, phát ngán, chán quá rồi, mệt rồi, mệt lắm rồi, không hỏi vậy, \
           có hỏi đâu, ai hỏi đâu, ai mượn, ai khiến, không ai mượn, tôi không hỏi, tao không hỏi, \
           tao có hỏi đâu, tôi có hỏi đâu, tmi, quá tải, quá tải rồi, chịu hết nổi luôn, bó tay, thua, quá rồi, \
           quá rồi đó, quá rồi đấy, quá đáng rồi, khỏi cần, thôi khỏi cần, thôi khỏi cần nữa, khỏi cần đâu, \
           khỏi cần nữa, khỏi nữa, không cần thiết, không cần thiết nữa, không cần thiết đâu, \
           không cần nữa đâu, không cần nữa nha, không cần thêm đâu, hết cần rồi, không cần gì nữa, \
           không cần gì thêm, không muốn nghe tiếp, không muốn biết nữa, không muốn đọc, chả muốn nghe, \
           chẳng muốn nghe, không nghe nữa, không đọc nữa",
        ],
    ),
    (
        NeverMind,
        &[
            "hủy luôn, hủy nhé, hủy nha, hủy lệnh, huỷ lệnh, cancel, cancel đi, =bỏ, bỏ đi nha, bỏ luôn, \
           bỏ qua luôn, bỏ qua nhé, bỏ qua nha, bỏ qua câu hỏi, bỏ qua câu hỏi này, bỏ qua câu đó, \
           bỏ câu hỏi đó đi, quên câu hỏi đi, quên đi nha, quên đi nhé, quên chuyện đó đi, quên câu đó đi, \
           coi như chưa hỏi, coi như tôi chưa hỏi, coi như mình chưa hỏi, coi như tao chưa hỏi, \
           coi như chưa nói gì, coi như không có gì, xem như chưa hỏi, thôi quên đi, thôi để sau, để sau, \
           để sau đi, để sau nha, để sau nhé, để lúc khác, lúc khác nha, thôi để tôi tự tìm, để tôi tự tìm, \
           để tui tự làm, tự làm được rồi, tự tìm được rồi, kệ tôi, kệ tui, kệ tao, kệ mình, kệ em, kệ đi nha, \
           lơ đi, lơ tin đó đi, ignore đi, hỏi lộn, lộn kênh, lộn chat, nhắn lộn, gửi lộn, hỏi sai, \
           hỏi sai rồi, nhầm, nhầm rồi, lộn rồi, =lộn, bấm nhầm, bấm lộn, không sao nữa, hết rồi không sao, \
           không quan trọng, không quan trọng nữa, không quan trọng đâu, rút lại câu hỏi, đổi ý, đổi ý rồi, \
           tôi đổi ý, tôi đổi ý rồi, mình đổi ý rồi",
        ],
    ),
    (
        Filler,
        &[
            "ê ê, ê bot, ê mày, alo, a lô, này bạn, bạn à, mày à, em à, bot này, ui, úi, ui trời, ôi giời, \
           giời, ôi dồi ôi, ối giời, ối giời ơi, trời đất quỷ thần ơi, quỷ thần ơi, lạy chúa, lạy phật, \
           chúa tôi, ôi thôi, ôi mẹ, ôi má, khổ quá, khổ ghê, thật là, nói thật, nói thiệt, thật lòng, \
           nghiêm túc, nghiêm túc đó, không đùa, không giỡn, không đùa đâu, lần cuối, nói lần cuối, \
           lần cuối nha, cảnh cáo, okela, okê, okie dokie, ừ ừ, ừ ừ được rồi, ờ ờ, vâng vâng, dạ dạ, \
           dạ được rồi, được được, ok ok, oke oke, rồi ok, ok biết rồi, ok hiểu rồi, đã hiểu, đã rõ, nắm rồi, \
           tốt rồi, hay rồi, cám ơn nha, cám ơn nhé, cảm ơn bạn nhiều, cảm ơn bot, cám ơn bot, cảm ơn ạ, \
           tks bạn, thank, thank you, tháng ơn, ty, thanks bạn, mơn, sr, xl, xin lỗi nha, xin lỗi nhé, \
           thông cảm, thông cảm nha, phiền rồi, ngay nào, ngay và luôn, tức thì, tức khắc, ngay tức khắc, gấp, \
           khẩn, giùm mình, giùm em, giùm anh, dùm mình, dùm em, dùm cái coi, giùm cái coi, hộ mình, hộ em, \
           hộ tao, hộ với, giúp với, giúp cái, cái coi, cái nào, tí đi, xíu đi, xíu nha, tí nha, chút nha, \
           chút nhé, chút xíu, một xíu, một chút thôi, tạm thời, trước mắt, đã, cái đã, vài phút, năm phút, \
           5 phút, mấy phút, một phút, 1 phút",
        ],
    ),
    (
        Since,
        &[
            "tìm ra, tìm thấy, tìm được, giải quyết, xong việc, mọi người, cả nhà, ai cũng, người ta, bạn spam, \
           mày spam, spam, trả lời sai, sai rồi, nhầm câu, lạc đề, điện thoại, máy tôi, máy mình, mắt, đầu, \
           tai, loạn, lag, ngủ, đang họp, đang học, đang ngủ, đang bận, bận, phải đi, không đọc, quá dài, \
           quá nhiều, quá ồn",
        ],
    ),
    (Topic, &["cái này, cái đó, con, câu này, câu trả lời"]),
    (
        Next,
        &[
            "ý tôi là, ý mình là, ý em là, ý tao là, tôi muốn biết, mình muốn biết, muốn hỏi, hỏi khác, \
           câu khác, câu hỏi khác, đổi sang, chuyển sang, chuyển qua, dịch, tóm tắt, bắt đầu, làm lại, nói lại, \
           viết lại, thử lại, từ đầu, cho tôi biết, cho mình biết, làm sao, cách",
        ],
    ),
    (
        Report,
        &[
            "nó, hắn, cô ấy, anh ấy, họ, bảo tôi, bảo tao, bảo mình, nói với, nói rằng, hét, bài hát, \
           lời bài hát, phim, nút, biển báo, nghĩa là, tiếng anh, tên là, gọi là, từ này",
        ],
    ),
    (
        Stop,
        &["dừng kể, ngừng kể, ngưng kể, thôi kể, đừng kể, khỏi kể"],
    ),
    (
        Lead,
        &[
            "tao bảo là, tôi bảo là, tôi đã bảo, tôi đã nói, tao đã nói, đã bảo là, đã nói là, nói rồi, \
           bảo rồi, ai đó làm ơn, ai đó, làm sao cho nó, cho nó, bắt nó, kêu nó",
        ],
    ),
    (
        Noun,
        &["thôi nào kể, thôi kể đi, thôi kể tiếp, đừng kể cho, đừng kể với"],
    ),
    (
        Next,
        &["ngắn hơn, ngắn thôi, dài hơn, chậm hơn, đơn giản hơn, chi tiết hơn, tóm tắt"],
    ),
    (
        Enough,
        &[
            "tôi, mình, tui, em, anh",
            "không, chả, đâu, hết",
            "cần, muốn nghe, muốn đọc, muốn biết",
            "nữa, nữa đâu, thêm, thêm nữa",
        ],
    ),
];
