/** A campaign that was started: progress, results, reasons, people. */
export const campaignReport = {
  "campaigns.pause": "Pause",
  "campaigns.resume": "Resume",
  "campaigns.unschedule": "Back to draft",
  "campaigns.cancel": "Cancel campaign",
  "campaigns.cancel.title": "Cancel this campaign?",
  "campaigns.cancel.text":
    "It ends for good. Messages that are being sent still arrive; everybody who waits gets nothing.",
  "campaigns.copy": "Copy",
  "campaigns.copy.title": "Copy campaign",
  "campaigns.copy.name": "{name} (copy)",
  "campaigns.copy.make": "Make copy",
  "campaigns.resend.name": "{name} (resend)",
  "campaigns.resendFailed": "Resend to failed",
  "campaigns.resendFailed.text":
    "This makes a draft for the people it failed for. You see how many they are before you start it. People who got it by another resend, or opted out since, are left out.",
  "campaigns.resendFailed.all": "Also numbers that accept no messages",
  "campaigns.resendFailed.unknown":
    "{count, plural, one {Also # person whose outcome is unknown, who may get it twice} other {Also # people whose outcome is unknown, who may get it twice}}",
  "campaigns.resendFailed.make": "Make draft",
  "campaigns.resendUnknown": "Resend unknown",
  "campaigns.resendUnknown.title": "Send again to those with an unknown outcome?",
  "campaigns.resendUnknown.text":
    "{count, plural, one {For # person the platform’s answer was lost. The person may have got the message already, and would then get it twice.} other {For # people the platform’s answer was lost. Some of them may have got the message already, and would then get it twice.}}",
  "campaigns.resendUnknown.verb": "Send again",
  "campaigns.sending": "Sending",
  "campaigns.progress.text": "{over} of {total}",
  "campaigns.queued.text": "The audience is being stored. Sending begins in a moment.",
  "campaigns.scheduled.title": "Starts by itself",
  "campaigns.scheduled.at": "{at} ({zone})",
  "campaigns.scheduled.local": "{at}, by each person’s own clock",
  "campaigns.pace.now": "{rate} a minute",
  "campaigns.pace.change": "Change pace",
  "campaigns.pace.text": "From 10 to 1,000,000. It applies within a second.",
  "campaigns.total": "Audience",
  "campaigns.waiting": "Waiting",
  "campaigns.sent": "Sent",
  "campaigns.delivered": "Delivered",
  "campaigns.read": "Read",
  "campaigns.failed": "Failed",
  "campaigns.skipped": "Left out",
  "campaigns.replied": "Answered",
  "campaigns.optedOut": "Opted out",

  "campaigns.results": "Results",
  "campaigns.results.step": "Step",
  "campaigns.results.people": "People",
  "campaigns.results.share": "Share",
  "campaigns.results.sms": "SMS does not report who read or answered.",
  "campaigns.results.telegram": "Telegram does not report what was delivered or read.",
  "campaigns.reasons": "Who did not get it, and why",
  "campaigns.reasons.see": "{number}: see these people",
  "campaigns.unknown.text":
    "{count, plural, one {For # person the platform’s answer was lost: the message may have arrived.} other {For # people the platform’s answer was lost: the message may have arrived.}}",
  "campaigns.unknown.do":
    "Nothing is sent twice by itself. If you want to send again all the same, press “Resend unknown”.",
  "campaigns.unknown.cancelled":
    "Nothing is sent twice by itself. “Resend to failed” can include them if you ask for it.",

  "campaigns.fail.unknown.do":
    "The answer was lost. Send again only if getting it twice does no harm.",
  "campaigns.fail.cancelled.do": "Make a copy to send to them after all.",
  "campaigns.fail.number.do":
    "The person may not use WhatsApp, or the number is wrong. Check the number of the contact.",
  "campaigns.fail.blocked.do": "Leave them out from now on. They can write to you at any time.",
  "campaigns.fail.window.do": "Send an approved template: it needs no open window.",
  "campaigns.fail.healthy.do": "Wait at least a day before you send to them again.",
  "campaigns.fail.spam.do":
    "Send less, and only to people who expect it. Look at the number’s quality at Meta.",
  "campaigns.fail.again.do": "Resend to those who failed; it may work now.",
  "campaigns.fail.media.do": "Copy the campaign with another file.",
  "campaigns.fail.payment.do": "Fix the payment at Meta, then resend to those who failed.",
  "campaigns.fail.userId.do":
    "The numbers of these people are hidden. Use a template of another category.",
  "campaigns.fail.template.do":
    "Look at the template, then copy the campaign with one that is approved.",
  "campaigns.fail.places.do":
    "Sync the templates, then copy the campaign and fill in the places again.",
  "campaigns.fail.credit.do": "Top the account up, then resend to those who failed.",
  "campaigns.fail.other.do": "The platform’s own words are shown with each person below.",

  "campaigns.cause.limit":
    "The monthly message limit is reached. Nobody was lost: raise the limit or wait for the next month, then resume.",
  "campaigns.cause.suspended":
    "The workspace is suspended, so nothing can be sent. Ask the operator of this server to end the suspension, then start again.",
  "campaigns.cause.credits": "The SMS credits are used up. Get more, then resume; nobody was lost.",
  "campaigns.cause.template":
    "The template is not approved. Look at it under Templates and sync; then start again, or choose another one.",
  "campaigns.cause.templateChanged":
    "The template changed and needs other texts. Copy the campaign and fill it in again.",
  "campaigns.cause.segment": "Its segment was deleted. Choose another audience.",
  "campaigns.cause.gateway":
    "The SMS gateway was never tested. Send a test under Settings, SMS; then start again.",
  "campaigns.cause.channel":
    "Its channel is in error. Fix it under Settings, Channels; then start again.",
  "campaigns.cause.disconnected":
    "Its channel was disconnected. Connect it again, or copy the campaign for another channel.",
  "campaigns.cause.file":
    "The file of the header is gone. Copy the campaign and upload the file again.",
  "campaigns.cause.missed":
    "Its time passed while the server did not run. Nobody got it: start it now or choose another time.",
  "campaigns.cause.failures":
    "{failed} of {of} people in a row failed, {same} of them with: {why}. It paused so that no more fail. Fix the cause, then resume.",
  "campaigns.cause.throttled": "The platform asked for a break. Sending goes on by itself.",
  "campaigns.cause.unreached": "The platform could not be reached. Sending goes on by itself.",
  "campaigns.cause.unanswered": "The platform does not answer. Sending goes on by itself.",
  "campaigns.cause.quiet":
    "It is quiet hours for the people who are left. Sending goes on when they end.",
  "campaigns.cause.other": "Reason: {cause}",

  "campaigns.timeline": "Timeline",
  "campaigns.chart.minutes": "Sent by minute",
  "campaigns.chart.hours": "Sent by hour",
  "campaigns.chart.time": "Time",
  "campaigns.entry.start": "Started",
  "campaigns.entry.schedule": "Scheduled",
  "campaigns.entry.unschedule": "Made a draft again",
  "campaigns.entry.due": "Its time came",
  "campaigns.entry.miss": "Its time was missed",
  "campaigns.entry.stored": "Audience stored; sending began",
  "campaigns.entry.fail": "Could not run",
  "campaigns.entry.pause": "Paused",
  "campaigns.entry.halt": "Paused by itself",
  "campaigns.entry.complete": "Finished",
  "campaigns.entry.reopen": "Began again, for unknown outcomes",
  "campaigns.entry.cancel": "Cancelled",
  "campaigns.entry.halved": "The pace was halved from {from} to {to} a minute",
  "campaigns.entry.paced": "The pace was changed from {from} to {to} a minute",
  "campaigns.entry.waited": "Waits until {until}",
  "campaigns.by.cli": "By command",
  "campaigns.by.key": "By API key",
  "campaigns.by.gone": "A former member",

  "campaigns.variant": "Variant",
  "campaigns.breakdown": "By tag or attribute",
  "campaigns.breakdown.by": "Break down by",
  "campaigns.breakdown.choose": "Choose…",
  "campaigns.breakdown.value": "Value",
  "campaigns.breakdown.none": "None",
  "campaigns.breakdown.other": "All others",
  "campaigns.variants": "Variants",
  "campaigns.interval": "{low} to {high}",
  "campaigns.heldOut":
    "{count, plural, one {# person of the control group got nothing.} other {# people of the control group got nothing.}}",
  "campaigns.verdict.better":
    "{what}: {winner} is better than {loser}, 95 % sure (between {from} and {to}).",
  "campaigns.verdict.none": "{what}: the figures show no difference between {first} and {second}.",
  "campaigns.few": "Fewer than {count} were sent with one of them: too few to show a difference.",
  "campaigns.verdict.running":
    "It still runs: decide when it is finished, not at the first difference you see.",
  "campaigns.verdict.early":
    "{count, plural, one {Answers still count for # day after the last message: these figures are not final.} other {Answers still count for # days after the last message: these figures are not final.}}",
  "campaigns.verdict.several": "Each variant is compared with the first one.",
  "campaigns.verdict.sure": "The ranges in small print hold the true value 95 times of 100.",

  "campaigns.people": "People and details",
  "campaigns.recipients": "Recipients",
  "campaigns.recipients.status": "State",
  "campaigns.recipients.all": "All states",
  "campaigns.recipients.anyReason": "Any reason",
  "campaigns.recipients.at": "Last change",
  "campaigns.recipients.none": "Nobody is in this state.",
  "campaigns.recipients.further": "Nobody among these; look further with Next.",
  "campaigns.recipients.page": "{count, plural, one {# person} other {# people}} on this page",
  "campaigns.name.person": "Person",
  "campaigns.address": "Address",
  "campaigns.conversation": "Conversation",
  "campaigns.noReply": "No answer",
  "campaigns.export": "Export CSV",
  "campaigns.status.pending": "Waiting",
  "campaigns.status.sending": "Being sent",
  "campaigns.status.sent": "Sent",
  "campaigns.status.delivered": "Delivered",
  "campaigns.status.read": "Read",
  "campaigns.status.failed": "Failed",
  "campaigns.status.skipped": "Left out",
  "campaigns.replies": "Replies",
  "campaigns.replies.none": "Nobody has answered yet.",
  "campaigns.replies.sms": "SMS has no inbox, so answers do not arrive here.",
  "campaigns.replies.file": "A file",
  "campaigns.replies.page": "Page {page}",
  "campaigns.details": "Details",
  "campaigns.created": "Made",
  "campaigns.started": "Started",
  "campaigns.ended": "Ended",
  "campaigns.zone": "Time zone",
  "campaigns.segmentGone": "A segment that was deleted",
} as const;
