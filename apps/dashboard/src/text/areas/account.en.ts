export const account = {
  "account.allPages": "All pages of the settings",
  "security.reset": "Reset two-factor",
  "security.reset.title": "Reset two-factor of {name}?",
  "security.reset.text":
    "They are signed out everywhere and sign in with only the password until they set it up again. Make sure that it was really them who asked.",
  "security.reset.done": "Two-factor of {name} is off.",
  "workspace.general": "General",
  "workspace.test": "This is a test workspace: it reaches the sandbox only, and stays one.",
  "workspace.saveName": "Save name",
  "workspace.zone": "Time zone",
  "workspace.zone.text": "For campaigns, and for the days of reports.",
  "workspace.country": "Country",
  "workspace.country.none": "None",
  "workspace.country.text": "Local phone numbers get its code when they are imported.",
  "workspace.language.text": "For members who chose no language, and for mails.",
  "workspace.require": "Require two-factor of every member",
  "workspace.require.text": "A member's password alone then opens nothing.",
  "workspace.require.without":
    "{count, plural, =0 {Every member has set it up.} one {# member has not set it up.} other {# members have not set it up.}}",
  "workspace.require.title": "Require two-factor?",
  "workspace.require.go": "Require",
  "workspace.require.ask":
    "{count, plural, =0 {Every member has it already. New members set it up when they join.} one {# member sets it up before anything else opens again.} other {# members set it up before anything else opens again.}}",
  "workspace.delete": "Delete workspace",
  "workspace.delete.text":
    "Contacts, conversations, campaigns, files and channels are deleted permanently. Messages that customers already received stay with them.",
  "workspace.delete.title": "Delete {name}?",
  "workspace.delete.ask":
    "Everybody is signed out at once, API keys stop working and channels are disconnected. This cannot be undone.",
  "workspace.delete.type": "Type “{name}” to confirm",
  "notify.sound": "Sound",
  "notify.sound.text":
    "Parley rings in one tab when a customer writes. Browsers allow it after your first click on the page.",
  "notify.sound.when": "Ring for",
  "notify.sound.mine": "My conversations",
  "notify.sound.mineAndUnassigned": "My conversations and unassigned ones",
  "notify.sound.all": "All conversations",
  "notify.sound.off": "Nothing",
  "notify.play": "Play",
  "profile.you": "You",
  "profile.saveName": "Save name",
  "profile.availability": "Availability",
  "profile.availability.text":
    "While you are away, a conversation that a customer opens again goes back to the queue instead of to you.",
  "profile.availability.online": "I am available",
  "profile.interface": "Interface",
  "notify.browser": "Notifications of this browser",
  "notify.browser.text":
    "A customer's name and message appear on your screen while Parley is not visible, for the conversations chosen above.",
  "notify.browser.on": "Show notifications",
  "notify.browser.none": "This browser has none, or the page is not open over https.",
  "notify.browser.blocked":
    "The browser blocks them for this page. Allow them in the browser's settings of the site, then load the page again.",
} as const;
