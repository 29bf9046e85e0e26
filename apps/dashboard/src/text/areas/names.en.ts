/** Names of areas' things that the frame and the inbox show, before the area's own texts are loaded. */
export const names = {
  "channels.type.INSTAGRAM": "Instagram",
  "channels.type.MESSENGER": "Messenger",
  "channels.type.TELEGRAM": "Telegram",
  "channels.type.TIKTOK": "TikTok",
  "channels.type.WEB": "Web chat",
  "channels.type.WHATSAPP": "WhatsApp",
  "campaigns.new": "New campaign",
  "imports.title": "Import contacts",
  "sandbox.title": "Sandbox",
  "saved.view.new": "New view",
  "saved.view.save": "Save as view…",
  "saved.view.change": "Edit this view…",
  "saved.view.remove": "Delete this view…",
  "profile.setAway": "Set status to Away",
  "profile.setOnline": "Set status to Online",
} as const;
