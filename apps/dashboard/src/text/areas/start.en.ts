export const start = {
  "start.title": "First steps",
  "start.done": "Done",
  "start.sandbox": "Have a first conversation",
  "start.sandbox.text":
    "Play a customer on a sandbox phone. The message appears in this inbox, and your reply on the phone.",
  "start.sandbox.link": "Open the sandbox phone",
  "start.channel": "Connect a channel",
  "start.channel.text":
    "WhatsApp, Messenger, Instagram, Telegram, TikTok or web chat: each step says where to find its values.",
  "start.invite": "Add your team",
  "start.invite.text": "Everybody gets their own login by an invitation.",
  "start.invite.link": "Invite people",
  "start.key": "Make an API key",
  "start.key.text": "For your own programs: contacts, messages and events over HTTP.",
  "start.play": "Play a customer from a program",
  "start.play.text":
    "In this test workspace POST /v1/test/inbound writes as a customer would, so that your tests need no phone.",
  "start.play.link": "Make a test key",
  "start.channel.link": "Connect a channel",
  "start.import": "Bring your contacts",
  "start.import.text": "From a CSV or JSON Lines file. Known people are matched, not added twice.",
  "start.import.link": "Import contacts",
  "start.campaign": "Send a first campaign",
  "start.campaign.text": "One message to many contacts, tried out on a sandbox channel first.",
  "start.campaign.link": "Make a campaign",
  "start.key.link": "Make a key",
} as const;
