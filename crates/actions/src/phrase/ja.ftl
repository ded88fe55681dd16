# 人が読む文。コマンドの文はその説明、属性はオプションの説明と日本語の名前。

command-help = できることの一覧
    .name = ヘルプ
command-stop = あなたが待っている返事を止めます
    .name = 停止
    .everybody = このチャンネルの全員の返事（モデレーター用）
    .everybody-name = 全員
command-refresh = このチャンネルの会話を最初から始めます
    .name = リセット
command-regenerate = 最後の質問にもう一度答えます
    .name = もう一度
command-why = 返事をした理由、しなかった理由
    .name = 理由
command-status = どのモデルが答え、どれくらい速く、今日いくらかかったか
    .name = 状態
command-search = ウェブを検索します
    .name = 検索
    .query = 何を探すか
    .query-name = 言葉
    .kind = ページ、画像、ニュース
    .kind-name = 種類
command-fetch = ウェブのページを読みます
    .name = ページ
    .url = ページのアドレス
    .url-name = アドレス
    .part = 長いページの何番目の部分か
    .part-name = 部分
command-now = ここや他の場所の今の時刻
    .name = 時刻
    .zone = Asia/Tokyo、東京、UTC+9 のようなタイムゾーン
    .zone-name = タイムゾーン
command-calculate = 正確に計算します
    .name = 計算
    .expression = (3 + 4) * 2^10、15% of 80、sqrt(2) のような式
    .expression-name = 式
command-random = サイコロ、くじ引き、乱数
    .name = ランダム
    .dice = 2d6 や 1d20+3 のようなサイコロ
    .dice-name = サイコロ
    .choices = 選択肢（コンマか「か」で区切る）
    .choices-name = 選択肢
    .from = いちばん小さい数
    .from-name = 最小
    .to = いちばん大きい数
    .to-name = 最大
command-user_info = だれであるか
    .name = ユーザー情報
    .user = だれ（省くとあなた）
    .user-name = ユーザー
command-avatar = だれかのアイコン
    .name = アイコン
    .user = だれ（省くとあなた）
    .user-name = ユーザー
command-react = メッセージに絵文字をつけます
    .name = リアクション
    .emoji = 👍 のような絵文字ひとつ、またはこのサーバーの絵文字
    .emoji-name = 絵文字
    .message = メッセージのリンクか ID
    .message-name = メッセージ
command-pin = メッセージをピン留めします（外すこともできます）
    .name = ピン
    .message = メッセージのリンクか ID
    .message-name = メッセージ
    .remove = ピン留めを外します
    .remove-name = 外す
command-thread = スレッドを始めます
    .name = スレッド
    .title = スレッドの名前
    .title-name = 名前
command-poll = ここで投票をします
    .name = 投票
    .question = 聞きたいこと
    .question-name = 質問
    .answers = 2〜10個の答え（コンマ区切り）
    .answers-name = 答え
    .runs = 12h や 3d のような期間（省くと1日）
    .runs-name = 期間
    .multiple = いくつも選べます
    .multiple-name = 複数
command-sticker = このサーバーのスタンプを送ります
    .name = スタンプ
    .sticker = スタンプの名前
    .sticker-name = スタンプ
command-memory = 覚えていること
    .name = 記憶
command-memory-show = あなたとこのサーバーについて覚えていること
    .name = 表示
command-memory-add = 何かを覚えさせます
    .name = 追加
    .fact = 覚えること
    .fact-name = 内容
    .about = だれについて（あなたか、サーバーか）
    .about-name = 対象
command-memory-forget = 何かを忘れさせます
    .name = 忘れる
    .fact = どれ
    .fact-name = 内容
command-memory-export = あなたについて覚えていることをファイルで渡します
    .name = 書き出し
command-persona = ここで話すペルソナ
    .name = ペルソナ
command-persona-create = ここで答えるペルソナを作ります
    .name = 作成
    .called = 名前
    .called-name = 名前
    .personality = どんな人物で、どう話すか
    .personality-name = 性格
    .triggers = 呼ぶための言葉（読点かコンマで区切る）
    .triggers-name = 呼び名
    .dialogues = 会話の例（空行で区切る）
    .dialogues-name = 会話例
command-persona-edit = ペルソナを変えます（省いたものはそのまま）
    .name = 編集
    .persona = どのペルソナ
    .persona-name = ペルソナ
    .rename = 新しい名前
    .rename-name = 改名
    .personality = どんな人物で、どう話すか（none でサーバーの設定どおり）
    .personality-name = 性格
    .triggers = 名前のほかに呼ぶための言葉（コンマ区切り、または none）
    .triggers-name = 呼び名
    .dialogues = 会話の例（空行で区切る、または none）
    .dialogues-name = 会話例
    .degree = 返事の区切りの細かさ（0〜3、または none）
    .degree-name = 細かさ
    .model = 話すモデル（用意されたもの、または none）
    .model-name = モデル
    .avatar = 画像
    .avatar-name = 画像
command-persona-list = ここで話すペルソナの一覧
    .name = 一覧
command-persona-delete = ペルソナを画像ごと消します
    .name = 削除
    .persona = どのペルソナ
    .persona-name = ペルソナ
command-persona-import = キャラクターカード（PNG・JSON・charx・TOML）からペルソナを作ります
    .name = 読み込み
    .file = カード、またはプリセット
    .file-name = ファイル
    .persona = 置きかえる相手、またはプリセットの対象
    .persona-name = ペルソナ
command-persona-export = ペルソナをキャラクターカードにして渡します
    .name = 書き出し
    .persona = どのペルソナ
    .persona-name = ペルソナ
    .format = 画像つきカード、JSON、アーカイブ、Kaiwa の形式
    .format-name = 形式
command-persona-sprite = ペルソナの表情などの画像
    .name = スプライト
    .persona = どのペルソナ
    .persona-name = ペルソナ
    .sprite = 画像の名前（happy など）
    .sprite-name = スプライト
    .picture = 画像
    .picture-name = 画像
    .usage = いつ使うか
    .usage-name = 用途
    .identity = 別の人物を表すか
    .identity-name = 別人
    .remove = 取り除くか
    .remove-name = 除去
command-remind = あとでお知らせします（一度でも、繰り返しでも）
    .name = リマインド
    .when = 「20分後」「明日9時」「毎週月曜8時」「in 20 minutes」など
    .when-name = いつ
    .text = 何をお知らせするか
    .text-name = 内容
    .zone = Asia/Tokyo、東京、UTC+9 のようなタイムゾーン
    .zone-name = タイムゾーン
    .answer = その時に、今聞かれたかのように答えます
    .answer-name = 答える
command-reminders = あとのために頼んだこと
    .name = リマインダー
command-reminders-list = ここでのあなたのリマインダー
    .name = 一覧
command-reminders-delete = リマインダーを取り消します
    .name = 削除
    .reminder = どれ
    .reminder-name = リマインダー
command-privacy = 読んでよいこと、覚えてよいこと
    .name = プライバシー
command-privacy-opt-out = あなたの発言を今後いっさい読みません
    .name = 読まない
command-privacy-opt-in = あなたの発言をまた読みます
    .name = 読む
command-privacy-export = あなたについて保存しているすべてをファイルで渡します
    .name = 書き出し
command-privacy-erase = あなたについて覚えていることをすべて消します
    .name = 消去
    .confirmation = 確認のため「erase」と入力してください

stop-done = 止めました。
stop-nothing = ここで待っている返事はありません。
stop-over = その返事はもう終わっています。
refresh-done = 最初から始めます。これより前の会話は見ません。
regenerate-done = もう一度答えます。
regenerate-nothing = ここでは最近質問されていません。
now-done = { $time } ({ $zone }, UTC{ $offset })
calculate-done = `{ $expression }` { $value }
random-done = 🎲 { $drawn }
user-info-done = **{ $name }** ({ $username }, { $id })
    アカウント作成: { $created }
    参加: { $joined }
    ロール: { $roles }
react-done = つけました。
pin-done = 📌 ピン留めしました。
pin-removed = 外しました。
thread-done = ここです: { $thread }
poll-done = 投票を始めました。
sticker-done = 送りました。
sticker-unknown = このサーバーにその名前のスタンプはありません。
memory-learned = 💡 覚えておきます: { $fact } (#{ $number })
memory-full = もういっぱいです。先に /memory forget で何かを忘れさせてください。
memory-nothing = ここではあなたについて何も覚えていません。
memory-shown = あなたについて:
    { $own }
    このサーバーについて:
    { $shared }
memory-forgotten = 忘れました。
memory-unknown = 忘れられるあなたのことは、それにはありません。
remind-done = { $until }（{ $time }）にお知らせします。
remind-done-again = { $until }（{ $time }）から{ $again }お知らせします。
remind-too-many = ここにはもう { $most } 件のリマインダーがあります。先に /reminders delete で取り消してください。
reminders-done = ここでのあなたのリマインダー:
    { $lines }
reminders-none = ここにリマインダーはありません。
reminder-deleted = それはもうお知らせしません。
reminder-unknown = そのリマインダーはここにありません。
avatar-done = **{ $name }** のアイコン: { $url }
not-a-member = ここにその人はいません。
why-done = ここで最近決めたこと:
    { $lines }
why-nothing = 起動してから、ここではまだ何も決めていません。
status-done = モデル: { $model } ({ $health })
    最初の言葉まで: { $latency } 秒
    今日: { $tokens } トークン、${ $cost }
    このチャンネルで待っている数: { $waiting }
help-done = メンションするか、DM を送ってください。「止めて」と言えば止まります。ほかに:
    { $lines }
opted-out = これからはあなたの発言を読みません。覚えていることは /privacy erase を使うまで残ります。
opted-in = またあなたの発言を読みます。
export-done = あなたについて保存しているものです。あなただけに見えています。
erase-done = { $rows } 件の記録を消しました。
erase-unconfirmed = 何も消していません。確認のため「erase」と入力してください。

search-done = 「{ $query }」の検索結果:
    { $lines }
search-nothing = 「{ $query }」では何も見つかりませんでした。
search-failed = 検索できませんでした。どの検索エンジンも答えません。
page-done = **{ $title }**{ $parts ->
        [1] {""}
       *[other] {" "}({ $part }/{ $parts })
    }
    <{ $url }>
    { $text }
page-forbidden = そのアドレスは開けません。公開されたウェブのものではありません。
page-no-host = そのようなホストはありません。
page-missing = そのようなページはありません。
page-without-text = そのページに読める文章はありません。
page-unreachable = そのページに届きませんでした。

control-gone = 古いバージョンのもので、もう使えません。
not-here = ここではできません。
bad-arguments = 値が合いません: { $problem }
problem-missing = { $option } がありません
problem-unfit = { $option } にその値は使えません
problem-choice = { $option } は次のいずれかです: { $choices }
you-lack = それには権限「{ $missing }」が必要です。
i-lack = それには私に権限「{ $missing }」が必要です。
denied = それは許可されていません。
failed = うまくいきませんでした。管理者のために記録しました。
slow-down = 少し待ってください — { $seconds } 秒後にもう一度どうぞ。

confirm = { $described }
    実行しますか?{ $seconds } 秒以内に選んでください。
button-approve = 承認
button-cancel = キャンセル
button-undo = 元に戻す
button-stop = 止める
button-again = もう一度答える
button-source = 元のテキスト
control-over = このボタンはもう使えません。
source-attached = 表のテキストを添付しました。
offer-cancelled = キャンセルしました。何も行っていません。
offer-expired = 時間内に承認されませんでした。何も行っていません。
offer-gone = 時間が経ちすぎています。何も行っていません。
offer-unknown = 途中で中断されたため、実行されたかどうか分かりません。もう一度頼む前に確認してください。
not-yours = 決められるのは頼んだ本人だけです。
switched-off = ここでは無効になっています。
running-already = このチャンネルではすでに実行中です。終わるまでお待ちください。

progress-working = 作業中です…
progress-search = 「{ $query }」をウェブで検索しています…
progress-page = { $host } を読んでいます…

report-done = ✅ **{ $action }** { $asker } の依頼 { $channel } `{ $arguments }`: `{ $result }`
report-denied = ⛔ **{ $action }** { $asker } には許可されていません { $channel } `{ $arguments }`: `{ $result }`
report-failed = ⚠️ **{ $action }** { $asker } の依頼 { $channel } 失敗 `{ $arguments }`: `{ $result }`

command-tempban = しばらくの間、誰かをBANします
    .name = 一時ban
    .user = 誰を
    .user-name = ユーザー
    .duration = 期間: 3d、1h30m、2週間
    .duration-name = 期間
    .reason = 理由
    .reason-name = 理由
command-unban = BANを解除します
    .name = ban解除
    .user = 誰を
    .user-name = ユーザー
    .reason = 理由
    .reason-name = 理由
command-banlist = 誰がいつまでBANされているか
    .name = ban一覧
    .after = 前のページの最後の人
    .after-name = 続き
command-timeout = しばらくの間、誰かの発言を止めます
    .name = タイムアウト
    .user = 誰を
    .user-name = ユーザー
    .duration = 期間: 10m、1h30m、2週間。off で終わります
    .duration-name = 期間
    .reason = 理由
    .reason-name = 理由
command-kick = 誰かをサーバーから退出させます
    .name = キック
    .user = 誰を
    .user-name = ユーザー
    .reason = 理由
    .reason-name = 理由
command-warn = 誰かに警告し、記録します
    .name = 警告
    .user = 誰に
    .user-name = ユーザー
    .reason = 理由
    .reason-name = 理由
command-cases = 最近の処分の一覧
    .name = 処分一覧
    .user = 誰の
    .user-name = ユーザー
command-nuke = ここの最近のメッセージを消します
    .name = 一括削除
    .count = 件数
    .count-name = 件数
    .user = この人のものだけ
    .user-name = ユーザー
command-slowmode = ここで次の発言まで待つ時間
    .name = 低速モード
    .wait = 時間: 10s、5m。off で終わります
    .wait-name = 時間

describe-tempban = **{ $name }** ({ $id }) を { $until } までBANします。理由: { $reason }
describe-unban = **{ $name }** ({ $id }) のBANを解除します。
describe-timeout = **{ $name }** ({ $id }) の発言を { $until } まで止めます。理由: { $reason }
describe-timeout-off = **{ $name }** ({ $id }) がまた発言できるようにします。
describe-kick = **{ $name }** ({ $id }) をキックします。理由: { $reason }
describe-warn = **{ $name }** ({ $id }) に警告します。理由: { $reason }
describe-nuke = ここの最近のメッセージ { $count } 件を完全に消します。
describe-nuke-user = ここの **{ $name }** ({ $id }) の最近のメッセージ { $count } 件を完全に消します。
describe-pin = このメッセージをピン留めします: { $message }
describe-unpin = このメッセージのピン留めを外します: { $message }
describe-thread = ここに次の名前のスレッドを作ります: { $title }
describe-remember = あなたについて覚えます: { $fact }
describe-remember-server = このサーバーについて覚えます: { $fact }
describe-forget = #{ $number } を忘れます: { $fact }
describe-recall = 覚えていることの中から次を探し、ここで伝えます: { $query }
describe-ban-list = BANされている人とその理由をここに表示します。
describe-cases = このサーバーの最近の処分をここに表示します。
describe-cases-user = **{ $name }** ({ $id }) の処分をここに表示します。
describe-remind = { $time }（{ $when }）にお知らせします: { $text }
describe-remind-answer = { $time }（{ $when }）に次へ回答します: { $text }
describe-reminders = あなたのリマインダーをここに表示します。
describe-reminder-delete = リマインダー #{ $number } を取り消します: { $text }
describe-page = このアドレスを開きます。書かれている内容は相手のサイトに伝わります: { $url }
describe-search = ウェブで次を検索します: { $query }
describe-slowmode = ここでは次の発言まで { $seconds } 秒待つようにします。

tempban-done = **{ $name }** ({ $id }) を { $until } までBANしました。処分 { $number }。
ban-already = **{ $name }** は、すでにほかの人にBANされています。そのままにします。
ban-news = { $guild } から { $until } までBANされました。理由: { $reason }
unban-done = **{ $name }** ({ $id }) のBANを解除しました。
unban-case-done = 処分 { $number } を解除しました。**{ $name }** ({ $id }) は { $until } までBANされたままです。
unban-nothing = その人はBANされていません。
banlist-done = BANされている人:
    { $lines }
banlist-nobody = BANされている人はいません。
timeout-done = **{ $name }** ({ $id }) は { $until } まで発言できません。処分 { $number }。
timeout-off = **{ $name }** ({ $id }) はまた発言できます。
kick-done = **{ $name }** ({ $id }) をキックしました。処分 { $number }。
kick-news = { $guild } からキックされました。理由: { $reason }
warn-done = **{ $name }** ({ $id }) に警告しました。処分 { $number }、{ $count } 回目の警告です。
warn-news = { $guild } で警告を受けました。理由: { $reason }
cases-done = 処分（新しい順）:
    { $lines }
cases-none = 処分はありません。
case-warning = 警告
case-timeout = タイムアウト
case-kick = キック
case-ban = BAN
case-unban = BAN解除
nuke-done = { $count } 件のメッセージを消しました。
slowmode-done = ここでは次の発言まで { $seconds } 秒待ちます。
slowmode-off = 低速モードを終わりました。

protected-self = 自分自身にはできません。
protected-bot = 私自身にはしません。
protected-owner = サーバーの所有者には誰もできません。
protected-absent = その人はこのサーバーにいません。
protected-above-you = その人の一番上のロールは、あなたより下ではありません。
protected-above-me = その人の一番上のロールは、私より下ではありません。

persona-created = これから { $name } がここで答えます。名前で呼んでください。画像は /persona edit で付けられます。
persona-changed = { $name } を変えました。
persona-none = ここで話すのは { $main } だけです。/persona create か /persona import で増やせます。
persona-list = { $main } のほかに { $count } 人が話します：
    { $list }
persona-delete = { $name } を画像と設定ごと消しますか？
persona-deleted = { $name } はいなくなりました。
persona-imported = { $name } を読み込みました。
persona-imported-partly = { $name } を読み込みました。取り込まれなかったもの：{ $left-out }
preset-imported = プリセットの文が { $name } に加わりました。ここでは意味のないもの：{ $left-out }
persona-exported = { $name } です。
persona-exported-without-pictures = { $name } です。この形式には画像を入れられないため、画像は含まれていません。ほかの形式には入ります。
persona-unknown = { $name } という名前はここにはありません。/persona list で確かめてください。
persona-refused = できませんでした：{ $reason }
persona-is-main = { $name } は私自身の名前です。別の名前にするか、/persona edit を使ってください。
persona-main-name = 私自身の名前は Discord での名前です。
card-refused = このファイルは使えません：{ $reason }
file-not-fetched = ファイルを取得できませんでした。もう一度添付してください。
picture-too-large = 画像が大きすぎます。小さくしてください。
picture-unreadable = PNG・JPEG・WebP・GIF ではありません。変換してください。
sprite-saved = { $persona } に画像「{ $name }」を付けました。
sprite-removed = 画像「{ $name }」を取り除きました。
sprite-needs-picture = その画像はまだありません。添付してください。

duration-unknown = 時間の長さとして読めません。20m、1h30m、3日、2週間のように書いてください
duration-ambiguous = 時間と分のどちらにも読めます。1時間30分、1分30秒のように書いてください
duration-too-long = 長すぎます。最長は10年です

remind-text = 内容: { $most } 文字以内で何か書いてください
zone-unknown = タイムゾーン: 「{ $name }」というタイムゾーンはありません。Asia/Tokyo、東京、UTC+9 のように書いてください
zone-ambiguous = タイムゾーン: 「{ $name }」は複数の地域で使われています。America/Chicago、Asia/Shanghai、Asia/Kolkata のように書いてください
when-unknown = いつ: 20分後、明日9時、来週の金曜18時、毎週月曜8時、1h30m、2030-12-24 18:00 のように書いてください
when-past = いつ: もう過ぎています。これからの時を書いてください
when-too-often = いつ: 繰り返しは1時間に1回までです
when-whole-hours = いつ: 時間ごとの繰り返しは1時間単位です。1時間ごと、2時間ごとのように書いてください
when-in-number = いつ: 単位がありません。10分後、10日後、10時のように書いてください
when-number = いつ: 数字だけでは時刻か分か分かりません。10時、10分後のように書いてください
when-day-or-days = いつ: 日付にも日数にも読めます。3日後、12月3日のように書いてください
when-time-or-length = いつ: 時刻にも時間の長さにも読めます。17:30、17時間30分後のように書いてください
when-day-or-month = いつ: どちらが月か分かりません。12月24日、2030-12-24、時刻は18:30のように書いてください
when-which-week = いつ: どの週か分かりません。日付で書いてください
when-which-midnight = いつ: その日の始まりか終わりか分かりません。0:00 か 23:59 と書いてください
when-which-night = いつ: どちらの夜か分かりません。日付と「午前2時」のように書いてください
when-wrong-weekday = いつ: その日付の曜日は違います。日付だけを書いてください
when-several-days = いつ: 複数の曜日があります。繰り返すなら毎週月曜と木曜、一度なら一つの曜日を書いてください
when-nth-weekday = いつ: 月の第何曜日という繰り返しはできません。毎月15日、隔週月曜、または日付で書いてください
when-one-weekday = いつ: 数週間ごとの繰り返しは曜日一つだけです。曜日ごとに設定してください
when-twice-or-every-two = いつ: 二回か二つごとか分かりません。隔週月曜、毎週月曜と木曜のように書いてください
when-zone = いつ: そのタイムゾーンは一つに決まりません。America/Chicago、Asia/Tokyo、UTC+9 のように書いてください

expression-unknown = 式: { $at } 文字目から計算式として読めません。使えるのは + - * / ^ % ! ( )、数、pi、e、sqrt、cbrt、abs、round、floor、ceil、min、max、ln、log、log2、exp、sin、cos、tan、asin、acos、atan です
expression-too-long = 式: 長すぎます。{ $most } 文字までです
expression-too-deep = 式: 括弧の入れ子が深すぎます。減らしてください
expression-by-zero = 式: ゼロで割ることはできません
expression-no-number = 式: 値がないか、大きすぎるか小さすぎて表せません
expression-too-large = 式: 数が大きすぎて正確に計算できません。38桁までなら正確です

draw-dice = サイコロ: 2d6、1d20+3 のように書いてください。サイコロは100個、1000面までです
draw-no-choice = 選択肢: 選ぶものがありません。お茶、コーヒー、水 のように書いてください
draw-one-choice = 選択肢: 選択肢が一つしかありません。お茶、コーヒー のように二つ以上書いてください
draw-too-far = 最小、最大: 数は -1000000000 から 1000000000 までです
draw-backwards = 最大: 最小より小さいです
draw-several = サイコロか、選択肢か、最小と最大のどれかを指定してください

reminder-number = リマインダー: リマインダーの番号ではありません。/reminders list で確認してください
repeats-hours = { $many }時間ごと
repeats-days = { $many ->
        [1] 毎日
       *[other] { $many }日ごと
    }
repeats-weeks = { $many ->
        [1] 毎週
       *[other] { $many }週間ごと
    }
repeats-weekdays = 毎週 { $days }
repeats-months = { $many ->
        [1] { $day ->
            [31] 毎月末日
           *[other] 毎月{ $day }日
        }
       *[other] { $day ->
            [31] { $many }か月ごとの末日
           *[other] { $many }か月ごとの{ $day }日
        }
    }
repeats-years = { $many ->
        [1] 毎年
       *[other] { $many }年ごと
    }
weekday-monday = 月
weekday-tuesday = 火
weekday-wednesday = 水
weekday-thursday = 木
weekday-friday = 金
weekday-saturday = 土
weekday-sunday = 日
