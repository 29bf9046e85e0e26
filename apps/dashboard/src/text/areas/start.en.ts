export const start = {
  "start.title": "First steps",
  "start.done": "Done",
  "start.sandbox": "Have a first conversation",
  "start.sandbox.text":
    "Play a customer on a sandbox phone. The message comes up in this inbox, and your reply on the phone.",
  "start.sandbox.link": "Open the sandbox phone",
  "start.channel": "Connect a channel",
  "start.channel.text":
    "WhatsApp, Messenger, Instagram, Telegram, TikTok or web chat. This command on the server tells what it needs:",
  "start.invite": "Add your team",
  "start.invite.text": "Everybody gets a login of their own by an invitation.",
  "start.invite.link": "Invite people",
  "start.key": "Make an API key",
  "start.key.text":
    "For your own programs: contacts, messages and events over HTTP. This command on the server makes a key:",
} as const;
