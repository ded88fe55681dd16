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
command-privacy = 読んでよいこと、覚えてよいこと
    .name = プライバシー
command-privacy-opt-out = あなたの発言を今後いっさい読みません
    .name = 読まない
command-privacy-opt-in = あなたの発言をまた読みます
    .name = 読む
command-privacy-erase = あなたについて覚えていることをすべて消します
    .name = 消去
    .confirmation = 確認のため「erase」と入力してください

stop-done = 止めました。
stop-nothing = ここで待っている返事はありません。
refresh-done = 最初から始めます。これより前の会話は見ません。
regenerate-done = もう一度答えます。
regenerate-nothing = ここでは最近質問されていません。
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
erase-done = { $rows } 件の記録を消しました。
erase-unconfirmed = 何も消していません。確認のため「erase」と入力してください。

control-gone = 古いバージョンのもので、もう使えません。
not-here = ここではできません。
bad-arguments = 値が合いません: { $problem }
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
offer-cancelled = キャンセルしました。何も行っていません。
offer-expired = 時間内に承認されませんでした。何も行っていません。
offer-gone = 時間が経ちすぎています。何も行っていません。
offer-unknown = 途中で中断されたため、実行されたかどうか分かりません。もう一度頼む前に確認してください。
not-yours = 決められるのは頼んだ本人だけです。
switched-off = ここでは無効になっています。
