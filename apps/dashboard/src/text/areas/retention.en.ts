export const retention = {
  "retention.lead":
    "For how long Parley keeps what customers and your team wrote. What is deleted cannot be brought back.",
  "retention.off": "Nothing is deleted: messages and files are kept for good.",
  "retention.waiting":
    "Nothing is deleted before {at}. Until then you can choose a longer time, and nothing is lost.",
  "retention.deleting": "What is too old is being deleted.",
  "retention.done": "Nothing older is left. What becomes too old is deleted once an hour.",
  "retention.progress": "Messages deleted",
  "retention.progress.text": "{deleted} of {all}",
  "retention.progress.more": "{deleted} of more than {all}",
  "retention.so.far": "Deleted so far",
  "retention.so.far.text": "Since a time was made shorter last.",
  "retention.messages.count": "Messages",
  "retention.files.count": "Files",
  "retention.notes.count": "Notes",
  "retention.events.count": "Events",
  "retention.kept": "What is kept",
  "retention.messages": "Messages",
  "retention.messages.text":
    "Older messages are deleted with their files, the team's notes and what the search knows of them. Contacts, conversations with their state, campaigns with their reports, and usage stay. A message that is still being sent stays too.",
  "retention.files": "Files",
  "retention.files.text":
    "Older pictures, voice messages and documents are deleted. Their messages stay and say that the file was deleted.",
  "retention.events": "Events for programs",
  "retention.events.text":
    "Older events and webhook deliveries are deleted. A program that was away for longer misses them.",
  "retention.good": "Keep for good",
  "retention.withMessages": "As long as their messages",
  "retention.months": "{count, plural, one {# month} other {# months}}",
  "retention.years": "{count, plural, one {# year} other {# years}}",
  "retention.days": "{count, plural, one {# day} other {# days}}",
  "retention.save": "Save",
  "retention.unsaved": "Not saved yet",
  "retention.saved": "Saved",
  "retention.ask": "Delete what is older?",
  "retention.ask.messages":
    "{count, plural, =0 {No message is that old today.} one {# message is that old today and is deleted, with its files and notes.} other {# messages are that old today and are deleted, with their files and notes.}}",
  "retention.ask.messages.more":
    "More than {count} messages are that old today and are deleted, with their files and notes.",
  "retention.ask.files":
    "{count, plural, =0 {No file of a message that stays is that old today.} one {# file is that old today and is deleted; its message stays.} other {# files are that old today and are deleted; their messages stay.}}",
  "retention.ask.files.more":
    "More than {count} files are that old today and are deleted; their messages stay.",
  "retention.ask.events": "Events and deliveries older than the new time are deleted.",
  "retention.ask.begins":
    "Nothing is deleted before {at}. Until then you can choose a longer time here. Afterwards it cannot be undone.",
  "retention.ask.go": "Delete from then on",
} as const;
