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
command-search = Searches the web
    .name = search
    .query = What to look for
    .query-name = query
    .kind = Pages, images or news
    .kind-name = kind
command-fetch = Reads a page of the web
    .name = fetch
    .url = The address of the page
    .url-name = url
    .part = Which part of a long page
    .part-name = part
command-now = What time it is, here or elsewhere
    .name = now
    .zone = A time zone like Asia/Tokyo, JST or UTC+9
    .zone-name = zone
command-calculate = Reckons exactly
    .name = calculate
    .expression = Arithmetic like (3 + 4) * 2^10, 15% of 80 or sqrt(2)
    .expression-name = expression
command-random = Dice, a choice, or a number by chance
    .name = random
    .dice = Dice like 2d6 or 1d20+3
    .dice-name = dice
    .choices = What to choose from, with commas or "or" between
    .choices-name = choices
    .from = The smallest number
    .from-name = from
    .to = The largest number
    .to-name = to
command-user_info = Who somebody is
    .name = user_info
    .user = Who; you, if you leave it out
    .user-name = user
command-avatar = Somebody's picture
    .name = avatar
    .user = Whose; yours, if you leave it out
    .user-name = user
command-react = Puts an emoji on a message
    .name = react
    .emoji = One emoji like 👍, or one of this server
    .emoji-name = emoji
    .message = The link or id of the message
    .message-name = message
command-pin = Pins a message, or takes it down
    .name = pin
    .message = The link or id of the message
    .message-name = message
    .remove = Takes it down
    .remove-name = remove
command-thread = Begins a thread
    .name = thread
    .title = What it is called
    .title-name = title
command-poll = Holds a poll here
    .name = poll
    .question = What you want to know
    .question-name = question
    .answers = Two to ten answers, with commas between
    .answers-name = answers
    .runs = How long it runs, like 12h or 3d; a day, if you leave it out
    .runs-name = runs
    .multiple = People may choose several answers
    .multiple-name = multiple
command-sticker = Sends a sticker of this server
    .name = sticker
    .sticker = Its name
    .sticker-name = sticker
command-memory = What I remember
    .name = memory
command-memory-show = What I remember of you and of this server
    .name = show
command-memory-add = Lets me remember something
    .name = add
    .fact = What to remember
    .fact-name = fact
    .about = Whom it is about: you, or the server
    .about-name = about
command-memory-forget = Lets me forget something
    .name = forget
    .fact = Which one
    .fact-name = fact
command-memory-export = What I remember of you, as a file
    .name = export
command-persona = Who speaks here, beside me
    .name = persona
command-persona-create = Makes a persona that answers here
    .name = create
    .called = Its name
    .called-name = called
    .personality = Who it is and how it talks
    .personality-name = personality
    .triggers = Words that call it, with commas
    .triggers-name = triggers
    .dialogues = Sample dialogues, an empty line between
    .dialogues-name = dialogues
command-persona-edit = Changes a persona; what you leave out stays
    .name = edit
    .persona = Which one
    .persona-name = persona
    .rename = Another name
    .rename-name = rename
    .personality = Who it is and how it talks; none for what the server says
    .personality-name = personality
    .triggers = Words that call it beside its name, with commas between, or none
    .triggers-name = triggers
    .dialogues = Sample dialogues, an empty line between, or none
    .dialogues-name = dialogues
    .degree = How finely its answers are cut, from 0 to 3, or none
    .degree-name = degree
    .model = The model that talks for it, of those that are offered, or none
    .model-name = model
    .avatar = Its picture
    .avatar-name = avatar
command-persona-list = Who speaks here
    .name = list
command-persona-delete = Deletes a persona with its pictures
    .name = delete
    .persona = Which one
    .persona-name = persona
command-persona-import = Makes a persona of a character card: PNG, JSON, charx or TOML
    .name = import
    .file = The card, or a preset
    .file-name = file
    .persona = Whom it replaces, or whom a preset is for
    .persona-name = persona
command-persona-export = A persona as a character card
    .name = export
    .persona = Which one
    .persona-name = persona
    .format = A picture with the card in it, JSON, an archive, or Kaiwa's own
    .format-name = format
command-persona-sprite = A picture that a persona may be shown with, such as a mood
    .name = sprite
    .persona = Which persona
    .persona-name = persona
    .sprite = What the picture is called, like happy
    .sprite-name = sprite
    .picture = The picture
    .picture-name = picture
    .usage = When to use it
    .usage-name = usage
    .identity = Whether it shows somebody else
    .identity-name = identity
    .remove = Whether to take it away
    .remove-name = remove
command-remind = Reminds you of something later, once or again and again
    .name = remind
    .when = Like "in 20 minutes", "tomorrow at 9" or "every monday at 8"
    .when-name = when
    .text = What to remind you of
    .text-name = text
    .zone = Your time zone, like Asia/Tokyo, JST or UTC+9
    .zone-name = zone
    .answer = I answer it then, as if you had just asked
    .answer-name = answer
command-reminders = What you have set for later
    .name = reminders
command-reminders-list = Your reminders here
    .name = list
command-reminders-delete = Takes a reminder back
    .name = delete
    .reminder = Which one
    .reminder-name = reminder
command-privacy = What I may read and keep
    .name = privacy
command-privacy-opt-out = I will never read what you write again
    .name = opt-out
command-privacy-opt-in = I will read what you write again
    .name = opt-in
command-privacy-export = Everything that I keep about you, as a file
    .name = export
command-privacy-erase = Deletes everything that I keep about you
    .name = erase
    .confirmation = Type "erase" to confirm

stop-done = Stopped.
stop-nothing = You are not waiting for an answer here.
stop-over = That answer is over.
refresh-done = We begin anew: I no longer look at what was said before this.
regenerate-done = I will answer that once more.
regenerate-nothing = You have not asked me anything here lately.
now-done = { $time } ({ $zone }, UTC{ $offset })
calculate-done = `{ $expression }` { $value }
random-done = 🎲 { $drawn }
user-info-done = **{ $name }** ({ $username }, { $id })
    Account made: { $created }
    Joined: { $joined }
    Roles: { $roles }
react-done = Done.
pin-done = 📌 Pinned.
pin-removed = Taken down.
thread-done = Here it is: { $thread }
poll-done = The poll is up.
sticker-done = Sent.
sticker-unknown = This server has no sticker of that name.
memory-learned = 💡 I will remember: { $fact } (#{ $number })
memory-full = There is no room for more. Let me forget something first: /memory forget
memory-nothing = I remember nothing of you here.
memory-shown = Of you:
    { $own }
    Of this server:
    { $shared }
memory-forgotten = Forgotten.
memory-unknown = There is no such thing of yours that I could forget.
remind-done = I will remind you { $until }: { $time }
remind-done-again = I will remind you again and again ({ $again }), first { $until }: { $time }
remind-too-many = You have { $most } reminders here already. Take one back first: /reminders delete
reminders-done = Your reminders here:
    { $lines }
reminders-none = You have not set any reminders here.
reminder-deleted = I will not remind you of that.
reminder-unknown = You have no such reminder here.
avatar-done = The picture of **{ $name }**: { $url }
not-a-member = I know nobody of that name here.
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
export-done = Here is what I keep about you. Only you see this.
erase-done = Deleted { $rows ->
        [one] one record
       *[other] { $rows } records
    } about you.
erase-unconfirmed = Nothing was deleted: type "erase" to confirm.

search-done = Found for "{ $query }":
    { $lines }
search-nothing = Nothing was found for "{ $query }".
search-failed = The search did not work: no search engine answered.
page-done = **{ $title }**{ $parts ->
        [1] {""}
       *[other] {" "}({ $part }/{ $parts })
    }
    <{ $url }>
    { $text }
page-forbidden = I do not open that address: it is not on the open web.
page-no-host = There is no such host.
page-missing = There is no such page.
page-without-text = There is no text on that page that I could read.
page-unreachable = That page could not be reached.

control-gone = That is from an older version of me and does nothing any more.
not-here = That cannot be done here.
bad-arguments = That does not fit: { $problem }
problem-missing = { $option } is missing
problem-unfit = { $option } cannot have that value
problem-choice = { $option } is one of: { $choices }
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
button-stop = Stop
button-again = Regenerate
button-source = Show source
control-over = This button no longer works.
source-attached = The text of the table is attached.
offer-cancelled = Cancelled. Nothing was done.
offer-expired = Nobody confirmed this in time. Nothing was done.
offer-gone = That is too long ago. Nothing was done.
offer-unknown = I was interrupted and cannot tell whether that was done. Please look before you ask again.
not-yours = Only the person who asked can decide that.
switched-off = That is switched off here.
running-already = That is already under way in this channel. Please wait until it is done.

progress-working = Working on it …
progress-search = Searching the web for { $query } …
progress-page = Reading { $host } …

report-done = ✅ **{ $action }** for { $asker } in { $channel } `{ $arguments }`: `{ $result }`
report-denied = ⛔ **{ $action }** was not allowed to { $asker } in { $channel } `{ $arguments }`: `{ $result }`
report-failed = ⚠️ **{ $action }** for { $asker } in { $channel } failed `{ $arguments }`: `{ $result }`

command-tempban = Bans somebody for a while
    .name = tempban
    .user = Who
    .user-name = user
    .duration = For how long: 3d, 1h30m, two weeks
    .duration-name = duration
    .reason = Why
    .reason-name = reason
command-unban = Lets somebody come back
    .name = unban
    .user = Who
    .user-name = user
    .reason = Why
    .reason-name = reason
command-banlist = Who is banned, and until when
    .name = banlist
    .after = The last person on the page before
    .after-name = after
command-timeout = Keeps somebody from writing for a while
    .name = timeout
    .user = Who
    .user-name = user
    .duration = For how long: 10m, 1h30m, two weeks; off ends it
    .duration-name = duration
    .reason = Why
    .reason-name = reason
command-kick = Makes somebody leave
    .name = kick
    .user = Who
    .user-name = user
    .reason = Why
    .reason-name = reason
command-warn = Warns somebody, and keeps it on record
    .name = warn
    .user = Who
    .user-name = user
    .reason = Why
    .reason-name = reason
command-cases = What was done to members lately
    .name = cases
    .user = Whose cases
    .user-name = user
command-nuke = Deletes the last messages here
    .name = nuke
    .count = How many
    .count-name = count
    .user = Only those of this person
    .user-name = user
command-slowmode = How long people wait between two messages here
    .name = slowmode
    .wait = How long: 10s, 5m; off ends it
    .wait-name = wait

describe-tempban = Ban **{ $name }** ({ $id }) until { $until }. Reason: { $reason }
describe-unban = Lift the ban of **{ $name }** ({ $id }).
describe-timeout = Keep **{ $name }** ({ $id }) from writing until { $until }. Reason: { $reason }
describe-timeout-off = Let **{ $name }** ({ $id }) write again.
describe-kick = Kick **{ $name }** ({ $id }). Reason: { $reason }
describe-warn = Warn **{ $name }** ({ $id }). Reason: { $reason }
describe-nuke = Delete the last { $count ->
        [one] message
       *[other] { $count } messages
    } here, for good.
describe-nuke-user = Delete the last { $count ->
        [one] message
       *[other] { $count } messages
    } of **{ $name }** ({ $id }) here, for good.
describe-pin = Pin this message: { $message }
describe-unpin = Take this pinned message down: { $message }
describe-thread = Begin a thread here, called: { $title }
describe-remember = Remember this of you: { $fact }
describe-remember-server = Remember this of the server: { $fact }
describe-forget = Forget #{ $number }: { $fact }
describe-recall = Look for this in what I remember, and tell it here: { $query }
describe-ban-list = Show here who is banned, and why.
describe-cases = Show the last cases of this server here.
describe-cases-user = Show the cases of **{ $name }** ({ $id }) here.
describe-remind = Remind you ({ $when }), { $time }: { $text }
describe-remind-answer = Answer this for you ({ $when }), { $time }: { $text }
describe-reminders = Show your reminders here.
describe-reminder-delete = Take your reminder #{ $number } back: { $text }
describe-page = Open this address. Whoever runs it sees all that stands in it: { $url }
describe-search = Search the web for: { $query }
describe-slowmode = Let people wait { $seconds } s between two messages here.

tempban-done = **{ $name }** ({ $id }) is banned until { $until }. Case { $number }.
ban-already = **{ $name }** was banned by somebody else already. I leave that as it is.
ban-news = You were banned from { $guild } until { $until }. Reason: { $reason }
unban-done = **{ $name }** ({ $id }) may come back.
unban-case-done = Case { $number } is lifted. **{ $name }** ({ $id }) stays banned until { $until }.
unban-nothing = They are not banned.
banlist-done = Banned:
    { $lines }
banlist-nobody = Nobody is banned.
timeout-done = **{ $name }** ({ $id }) cannot write until { $until }. Case { $number }.
timeout-off = **{ $name }** ({ $id }) may write again.
kick-done = **{ $name }** ({ $id }) had to leave. Case { $number }.
kick-news = You were kicked from { $guild }. Reason: { $reason }
warn-done = **{ $name }** ({ $id }) was warned. Case { $number }, { $count ->
        [one] their first warning
       *[other] warning number { $count }
    }.
warn-news = You were warned in { $guild }. Reason: { $reason }
cases-done = Cases, newest first:
    { $lines }
cases-none = There are no cases.
case-warning = warning
case-timeout = timeout
case-kick = kick
case-ban = ban
case-unban = unban
nuke-done = Deleted { $count ->
        [0] no messages: there are none that I can delete
        [one] one message
       *[other] { $count } messages
    }.
slowmode-done = People now wait { $seconds } s between two messages here.
slowmode-off = Slow mode is off.

protected-self = You cannot do that to yourself.
protected-bot = I will not do that to myself.
protected-owner = That is the owner of this server. Nobody can do that to them.
protected-absent = They are not on this server.
protected-above-you = Their highest role is not below yours.
protected-above-me = Their highest role is not below mine.

persona-created = { $name } answers here from now on. Call them by name, or give them a picture with /persona edit.
persona-changed = { $name } is changed.
persona-none = Nobody but { $main } speaks here. /persona create or /persona import adds somebody.
persona-list = Beside { $main }, { $count ->
    [one] one persona speaks here:
   *[other] { $count } personas speak here:
 }
    { $list }
persona-delete = Delete { $name } with all pictures and settings?
persona-deleted = { $name } is gone.
persona-imported = { $name } is imported.
persona-imported-partly = { $name } is imported. Left out: { $left-out }
preset-imported = What the preset says is part of { $name } now. This has no meaning here: { $left-out }
persona-exported = Here is { $name }.
persona-exported-without-pictures = Here is { $name }, without pictures: this format has no place for them. The others have.
persona-unknown = Nobody here is called { $name }. /persona list shows who is.
persona-refused = That did not work: { $reason }
persona-is-main = { $name } is what I am called myself. Choose another name, or use /persona edit.
persona-main-name = My own name is the one that I have on Discord.
card-refused = The file cannot be used: { $reason }
file-not-fetched = I could not fetch the file. Attach it again.
picture-too-large = The picture is too large. Make it smaller first.
picture-unreadable = That is no PNG, JPEG, WebP or GIF. Convert it first.
sprite-saved = { $persona } has the picture "{ $name }".
sprite-removed = The picture "{ $name }" is gone.
sprite-needs-picture = There is no such picture yet: attach one.

duration-unknown = that is no length of time; write it like 20m, 1h30m, 3d or two weeks
duration-ambiguous = that could be hours or minutes; write it like 1h30m or 1m30s
duration-too-long = that is too long; ten years are the most

remind-text = text: write something, up to { $most } characters
zone-unknown = zone: no time zone is called { $name }; write one like Europe/Paris, Tokyo or UTC+2
zone-ambiguous = zone: several places call their time { $name }; write one like America/Chicago, Asia/Shanghai or Asia/Kolkata
when-unknown = when: write it like in 20 minutes, tomorrow at 9, next friday 18:00, every monday at 8, 1h30m or 2030-12-24 18:00
when-past = when: that has been; write a moment to come
when-too-often = when: nothing is repeated more often than every hour
when-whole-hours = when: what is repeated by the hour needs whole hours; write every hour or every 2 hours
when-in-number = when: in 10 of what? Write in 10 minutes, in 10 days, or at 10
when-number = when: a number alone could be an hour or minutes; write at 10 or in 10 minutes
when-day-or-days = when: that could be a day of the month or a number of days; write in 3 days, or the date with its month
when-time-or-length = when: that could be a time or a length of time; write at 17:30 or in 17h30m
when-day-or-month = when: which number is the month? Write it like 24 december or 2030-12-24, and a time like 18:30
when-which-week = when: that could be in two different weeks; write the date, or this saturday
when-which-midnight = when: midnight could be at the start or at the end of that day; write 0:00 or 23:59
when-which-night = when: that could be in the night before or after; write the day and 2am
when-wrong-weekday = when: that date is another day of the week; write the date alone
when-several-days = when: those are several days; write every monday and thursday if it should repeat, or one day
when-nth-weekday = when: weekdays counted within a month cannot be repeated; write every month on the 15th, every 4 weeks on monday, or a date
when-one-weekday = when: every second or third week works with one weekday; set one reminder for each
when-twice-or-every-two = when: that could be twice in that time or every two; write every 2 weeks or every monday and thursday
when-zone = when: that time zone has no single meaning; write one like America/Chicago, Asia/Tokyo or UTC+2

expression-unknown = expression: that is no arithmetic from character { $at } on; use + - * / ^ % ! ( ), numbers, pi, e, and sqrt, cbrt, abs, round, floor, ceil, min, max, ln, log, log2, exp, sin, cos, tan, asin, acos, atan
expression-too-long = expression: that is too long; { $most } characters are the most
expression-too-deep = expression: that is nested too deeply; use fewer brackets
expression-by-zero = expression: nothing can be divided by zero
expression-no-number = expression: that has no value, or one too large or too small to tell
expression-too-large = expression: those numbers are too large to be exact, and a near result would be wrong; 38 digits are exact

draw-dice = dice: write dice like 2d6 or 1d20+3, at most 100 of at most 1000 sides
draw-no-choice = choices: there is nothing to choose from; write it like tea, coffee, milk
draw-one-choice = choices: that is one choice; write two or more, like tea, coffee or milk
draw-too-far = from, to: numbers lie between -1000000000 and 1000000000
draw-backwards = to: it is smaller than from
draw-several = give dice, or choices, or from and to

reminder-number = reminder: that is no number of a reminder; /reminders list shows them
repeats-hours = { $many ->
        [one] every hour
       *[other] every { $many } hours
    }
repeats-days = { $many ->
        [one] every day
       *[other] every { $many } days
    }
repeats-weeks = { $many ->
        [one] every week
       *[other] every { $many } weeks
    }
repeats-weekdays = every { $days }
repeats-months = { $many ->
        [one] { $day ->
            [31] every month on its last day
           *[other] every month on day { $day }
        }
       *[other] { $day ->
            [31] every { $many } months on the last day
           *[other] every { $many } months on day { $day }
        }
    }
repeats-years = { $many ->
        [one] every year
       *[other] every { $many } years
    }
weekday-monday = Mon
weekday-tuesday = Tue
weekday-wednesday = Wed
weekday-thursday = Thu
weekday-friday = Fri
weekday-saturday = Sat
weekday-sunday = Sun
