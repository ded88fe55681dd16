# What people read. A command's text is what it is for; its attributes are the
# texts of its options, and names in other languages.

command-help = What I can do
    .name = help
command-stop = Ends the answer you are waiting for
    .name = stop
    .everybody = Everybody's answers in this channel, for moderators
    .everybody-name = everybody
command-refresh = Lets our conversation in this channel begin anew
    .name = refresh
command-regenerate = Answers your last question once more
    .name = regenerate
command-why = Why I answered, or did not
    .name = why
command-status = Which model answers, how fast, and what it cost today
    .name = status
command-privacy = What I may read and keep
    .name = privacy
command-privacy-opt-out = I will never read what you write again
    .name = opt-out
command-privacy-opt-in = I will read what you write again
    .name = opt-in
command-privacy-erase = Deletes everything that I keep about you
    .name = erase
    .confirmation = Type "erase" to confirm

stop-done = Stopped.
stop-nothing = You are not waiting for an answer here.
refresh-done = We begin anew: I no longer look at what was said before this.
regenerate-done = I will answer that once more.
regenerate-nothing = You have not asked me anything here lately.
why-done = What I decided here lately:
    { $lines }
why-nothing = I have not decided anything here since I was started.
status-done = Model: { $model } ({ $health })
    First words after: { $latency } s
    Today: { $tokens } tokens, ${ $cost }
    Waiting in this channel: { $waiting }
help-done = Mention me, or write to me directly. Say "stop" and I stop. And there is:
    { $lines }
opted-out = I will not read what you write from now on. What I keep about you stays until you use /privacy erase.
opted-in = I read what you write again.
erase-done = Deleted { $rows ->
        [one] one record
       *[other] { $rows } records
    } about you.
erase-unconfirmed = Nothing was deleted: type "erase" to confirm.

control-gone = That is from an older version of me and does nothing any more.
not-here = That cannot be done here.
bad-arguments = That does not fit: { $problem }
you-lack = You need the permission { $missing } for that.
i-lack = I need the permission { $missing } for that.
denied = That is not allowed.
failed = That did not work. It was noted for whoever runs me.
slow-down = Slow down — try again in { $seconds } s.

confirm = { $described }
    Should I? You have { $seconds } seconds.
button-approve = Approve
button-cancel = Cancel
button-undo = Undo
offer-cancelled = Cancelled. Nothing was done.
offer-expired = Nobody confirmed this in time. Nothing was done.
offer-gone = That is too long ago. Nothing was done.
offer-unknown = I was interrupted and cannot tell whether that was done. Please look before you ask again.
not-yours = Only the person who asked can decide that.
switched-off = That is switched off here.
