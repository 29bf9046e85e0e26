export const channels = {
  "channels.lead":
    "Where your customers write to you. A channel is one account of a platform, or a chat window on your site.",
  "channels.connect": "Connect channel",
  "channels.testOnly": "A test workspace reaches nobody",
  "channels.testOnly.text":
    "It has channels of the sandbox only, one of each type from the start. Real accounts belong into a workspace of their own.",
  "channels.none": "No channel yet",
  "channels.none.text":
    "Connect a WhatsApp number, a page, a bot or your own site, and its messages arrive in the inbox.",
  "channels.full":
    "Your plan has room for {limit, plural, one {# channel} other {# channels}}, and all are in use. Disconnect one, or ask the operator of this server for a larger plan.",
  "channels.places": "{taken} of {limit} channels of your plan",
  "channels.noAddress":
    "Platforms cannot call this server at {address}. Its operator sets PARLEY_PUBLIC_URL to a public https address; until then only Telegram by polling, web chat and the sandbox receive messages.",
  "channels.channel": "Channel",
  "channels.state": "State",
  "channels.lastCall": "Last call",
  "channels.lastCall.never": "None yet",
  "channels.lastCall.asked": "Asked by this server",
  "channels.lastCall.own": "Runs on this server",
  "channels.action": "Action",
  "channels.test": "Test",
  "channels.test.of": "Test {name}",
  "channels.test.good": "{name} works: its platform accepts every value it can be asked about.",
  "channels.test.web":
    "The chat window of {name} is served. Open its try page to write as a visitor.",
  "channels.test.unasked":
    "The platform of {name} could not be asked, or does not call this server. This server tries again every ten minutes.",
  "channels.test.fault": "The platform of {name} refuses a value: {field}",
  "channels.test.again": "Open {name} to replace it.",
  "channels.gone": "Disconnected channels",

  "channels.about.WHATSAPP": "A number of the WhatsApp Cloud API, with templates and campaigns.",
  "channels.about.MESSENGER": "The messages of a Facebook page.",
  "channels.about.INSTAGRAM": "Direct messages of a professional account.",
  "channels.about.TELEGRAM": "A bot. Ready in two minutes, with no review.",
  "channels.about.TIKTOK": "Direct messages of a business account.",
  "channels.about.WEB": "A chat window on your own site.",
  "channels.sandbox": "Sandbox",

  "channels.status.connected": "Connected",
  "channels.status.error": "Error",
  "channels.status.disconnected": "Disconnected",
  "channels.status.attention": "Needs attention",
  "channels.status.waiting": "Waiting for its first call",
  "channels.throttled": "Slowed down by its platform until {time}",

  "channels.problem.error":
    "In error: nothing is sent on this channel. Its platform refuses the account or a value of it. Replace the value below, or fix it at the platform and test.",
  "channels.problem.not_set_up":
    "The platform could not be asked the last time, or does not call this server. What customers write may not arrive; what you write is sent. This server tries again within ten minutes.",
  "channels.problem.wrong_signature":
    "{calls, plural, one {# call} other {# calls}} since {time} with a wrong signature. Check this value: {field}",
  "channels.problem.wrong_signature.others":
    "{calls, plural, one {# call} other {# calls}} since {time} with a wrong signature. Calls with the right one come too, so these are not the platform's: there is nothing to do.",
  "channels.problem.wrong_verify_token":
    "The platform asked at {time} with another verify token. Enter the same word there and here: {field}",
  "channels.problem.silent":
    "The platform has not called yet. Enter the webhook address there and subscribe to the fields.",
  "channels.problem.said": "The platform said",

  "channels.field.name": "Name in Parley",
  "channels.field.name.hint": "What your team reads, for example “Shop Kuwait”.",
  "channels.field.phoneNumberId": "Phone number ID",
  "channels.field.phoneNumberId.hint": "About 15 digits. It is not the telephone number.",
  "channels.field.wabaId": "WhatsApp Business Account ID",
  "channels.field.accessToken": "Access token",
  "channels.field.appSecret": "App secret",
  "channels.field.verifyToken": "Verify token",
  "channels.field.verifyToken.hint":
    "Any word without spaces. You enter the same one at the platform.",
  "channels.field.pageId": "Page ID",
  "channels.field.accountId": "Instagram account ID",
  "channels.field.botToken": "Bot token",
  "channels.field.botToken.hint": "Looks like 123456789:AA…",
  "channels.field.secretToken": "Secret token",
  "channels.field.secretToken.hint":
    "Telegram sends it with each call. Leave it empty and one is made.",
  "channels.field.polling": "Ask Telegram for messages (polling)",
  "channels.field.polling.hint": "For a server without a public https address.",
  "channels.field.businessId": "Business ID (open_id)",
  "channels.field.appId": "App ID",
  "channels.field.appId.hint": "With it this server enters its own address at the app.",
  "channels.field.refreshToken": "Refresh token",
  "channels.field.refreshToken.hint":
    "The access token ends after a day. With this token and the app ID it is renewed for you.",
  "channels.field.allowedOrigins": "Pages that may show it",
  "channels.field.allowedOrigins.hint":
    "One address a line, such as https://shop.example. Empty: any page.",
  "channels.field.apiUrl": "API address",
  "channels.field.apiUrl.hint":
    "Replaces {address}: a proxy, a Bot API server of your own, or an emulator.",
  "channels.advanced": "Advanced",

  "channels.fault.required": "This value is needed.",
  "channels.fault.format": "This does not look like the requested value.",
  "channels.fault.refused": "The platform does not accept this value.",
  "channels.fault.address": "This address cannot be used: {words}",
  "channels.fault.again":
    "With another API address every secret value is needed again: no stored secret goes to a new server.",
  "channels.fault.plan":
    "Your plan has no room for another channel. Nothing was stored; disconnect a channel first.",

  "channels.steps": "Steps",
  "channels.step": "Step {step} of {steps}",
  "channels.step.platform": "Platform",
  "channels.step.name": "Name",
  "channels.step.number": "Number",
  "channels.step.page": "Page",
  "channels.step.account": "Account",
  "channels.step.bot": "Bot",
  "channels.step.token": "Access token",
  "channels.step.secret": "App secret",
  "channels.step.app": "App",
  "channels.step.site": "Site",
  "channels.step.webhook": "Webhook",
  "channels.choose": "Which platform?",
  "channels.next": "Next",
  "channels.check": "Check and connect",
  "channels.checking": "Asking the platform…",
  "channels.trySandbox": "Try it without an account",
  "channels.trySandbox.text":
    "A sandbox channel behaves like the platform, faults included. You play its customers.",
  "channels.where": "Where to find it",

  "channels.find.WHATSAPP.number":
    "developers.facebook.com > My Apps > your app > WhatsApp > API Setup",
  "channels.find.WHATSAPP.number.then":
    "Choose the number under “From”. Copy the Phone number ID and the WhatsApp Business Account ID below it.",
  "channels.find.WHATSAPP.token":
    "business.facebook.com > Settings > Users > System users > your system user > Generate token",
  "channels.find.WHATSAPP.token.then":
    "Choose your app, choose “Never” for expiry, and tick whatsapp_business_messaging and whatsapp_business_management. The token on the API Setup page ends after a day.",
  "channels.find.WHATSAPP.secret":
    "developers.facebook.com > My Apps > your app > App settings > Basic",
  "channels.find.WHATSAPP.secret.then":
    "Press Show beside App secret. It must be the app that the token was made for.",
  "channels.find.MESSENGER.page":
    "developers.facebook.com > My Apps > your app > Messenger > Messenger API Settings > Generate access tokens",
  "channels.find.MESSENGER.page.then":
    "Press Connect and choose your page. Its ID is shown below its name; Generate gives its access token.",
  "channels.find.MESSENGER.secret":
    "developers.facebook.com > My Apps > your app > App settings > Basic",
  "channels.find.MESSENGER.secret.then": "Press Show beside App secret.",
  "channels.find.INSTAGRAM.account":
    "developers.facebook.com > My Apps > your app > Instagram > API setup with Instagram login > Generate access tokens",
  "channels.find.INSTAGRAM.account.then":
    "Press Add account and sign in. Copy the number below the account's name, then Generate token. It is valid for 60 days and is renewed for you.",
  "channels.find.INSTAGRAM.secret":
    "developers.facebook.com > My Apps > your app > App settings > Basic",
  "channels.find.INSTAGRAM.secret.then": "Press Show beside App secret.",
  "channels.find.TELEGRAM.bot": "Telegram > @BotFather > /newbot",
  "channels.find.TELEGRAM.bot.then":
    "Give the bot a name; BotFather answers with its token. For a bot you already have: /mybots > the bot > API Token.",
  "channels.find.TIKTOK.account": "business-api.tiktok.com > My Apps > your app > Authorization",
  "channels.find.TIKTOK.account.then":
    "Have the business account authorise the app for messages. The answer contains open_id, access_token and refresh_token.",
  "channels.find.TIKTOK.app": "business-api.tiktok.com > My Apps > your app > App detail",
  "channels.find.TIKTOK.app.then":
    "Copy App ID and Secret. Without the App ID you enter the webhook address at the app yourself.",
  "channels.find.WEB.site": "Your own site",
  "channels.find.WEB.site.then":
    "Name the addresses of its pages, so that nobody else's page shows your chat. You can change this later.",

  "channels.made": "{name} is connected",
  "channels.made.text": "Its values are right. One step is left at the platform.",
  "channels.made.set": "Its values are right, and the platform knows where to call.",
  "channels.made.trouble": "{name} is stored, but not ready",
  "channels.hook": "Webhook address",
  "channels.hook.WHATSAPP":
    "developers.facebook.com > My Apps > your app > WhatsApp > Configuration > Webhook > Edit",
  "channels.hook.WHATSAPP.then":
    "Enter both values, press Verify and save, then Manage, and subscribe to messages (statuses come with it), message_template_status_update, account_update and phone_number_quality_update.",
  "channels.hook.MESSENGER":
    "developers.facebook.com > My Apps > your app > Messenger > Messenger API Settings > Configure webhooks",
  "channels.hook.MESSENGER.then":
    "Enter both values and press Verify and save. The fields of the page are subscribed already.",
  "channels.hook.INSTAGRAM":
    "developers.facebook.com > My Apps > your app > Instagram > API setup with Instagram login > Configure webhooks",
  "channels.hook.INSTAGRAM.then":
    "Enter both values and press Verify and save. The fields of the account are subscribed already.",
  "channels.hook.TIKTOK": "business-api.tiktok.com > My Apps > your app > Webhooks",
  "channels.hook.TIKTOK.then": "Enter the address for the event DIRECT_MESSAGE.",
  "channels.hook.TELEGRAM": "Nothing to do at Telegram",
  "channels.hook.TELEGRAM.then": "This server told Telegram its address, with a secret of its own.",
  "channels.wait": "Waiting for the first call of the platform…",
  "channels.wait.text":
    "Now write to this channel from your own phone. This page shows when the message arrives; you may leave it.",
  "channels.wait.came": "The first call has arrived: the channel works both ways.",
  "channels.wait.polled":
    "This server asks Telegram for messages. Write to the bot from your own phone: the message arrives in the inbox.",
  "channels.openInbox": "Open its inbox",
  "channels.openChannel": "Open the channel",
  "channels.identity": "Identity secret",
  "channels.identity.once":
    "Shown once. Keep it on your server: it signs the ids of users who are signed in on your site.",
  "channels.design": "Design the chat window",

  "channels.part.state": "State",
  "channels.part.good": "Nothing is wrong with this channel.",
  "channels.part.account": "Account",
  "channels.part.hook": "Webhook",
  "channels.part.pace": "Campaign pace",
  "channels.part.window": "Chat window",
  "channels.part.end": "Disconnect",
  "channels.fact.account": "Account at the platform",
  "channels.fact.last": "Last call of the platform",
  "channels.fact.asked": "Platform last asked",
  "channels.fact.ends": "Access token ends",
  "channels.fact.ends.never": "It does not end",
  "channels.fact.since": "Connected since",
  "channels.fact.api": "API address",
  "channels.fact.api.own": "The platform's own",
  "channels.never": "Never",
  "channels.rename": "Rename",
  "channels.replace": "Replace values",
  "channels.replace.text":
    "Fill in only what is new. The platform is asked before anything is stored; secrets are never shown.",
  "channels.replace.kept": "Kept as it is",
  "channels.replaced": "The new values are in use.",
  "channels.hook.keep":
    "Where the platform calls this server. The verify token is kept secret; replace it under Account when you have lost it.",
  "channels.pace.text":
    "All campaigns on this number together send at most this many messages a minute. Replies are not limited by it.",
  "channels.pace.most": "Messages a minute",
  "channels.pace.hint": "10 to 1,000,000. Empty: as each campaign says.",
  "channels.pace.ceiling":
    "At present the platform's refusals limit it to {count} a minute. This ends by itself.",
  "channels.pace.save": "Save pace",
  "channels.pace.fault": "Enter a whole number from 10 to 1,000,000, or nothing.",
  "channels.templates": "Templates of this channel",
  "channels.templates.reading": "Reading the account's templates…",
  "channels.templates.read":
    "{count, plural, =0 {The account has no templates yet.} one {# template has been read.} other {# templates have been read.}}",
  "channels.templates.open": "Open templates",
  "channels.end": "Disconnect",
  "channels.end.title": "Disconnect {name}?",
  "channels.end.text":
    "It no longer receives or sends messages, and its secrets are wiped. Its conversations stay; connecting the same account again brings it back.",
  "channels.end.campaigns":
    "{count, plural, one {This campaign stops:} other {These campaigns stop:}}",
  "channels.end.none": "No campaign uses it now.",
  "channels.ended": "This channel was disconnected. Its conversations are kept.",
  "channels.reconnect": "Connect it again",

  "channels.web.title": "Chat window of {name}",
  "channels.web.lead": "Appearance of the window, as your visitors see it.",
  "channels.web.look": "Look",
  "channels.web.color": "Colour",
  "channels.web.color.own": "Own colour",
  "channels.web.heading": "Title",
  "channels.web.heading.hint":
    "The name in the head of the window, such as your shop's. The channel's own name is never shown to visitors.",
  "channels.web.logo": "Logo",
  "channels.web.logo.now": "The logo now",
  "channels.web.logo.choose": "Choose picture",
  "channels.web.logo.other": "Another picture",
  "channels.web.logo.remove": "Remove",
  "channels.web.logo.hint": "PNG, JPEG, WebP or SVG. It is scaled down to a small square.",
  "channels.web.logo.refused": "This picture cannot be read. Choose another one.",
  "channels.web.ask": "Ask visitors for",
  "channels.web.ask.hint":
    "The answer goes into the contact: the name as its name, the address as an unverified one.",
  "channels.web.ask.nothing": "Nothing",
  "channels.web.ask.name": "Name",
  "channels.web.ask.email": "Email",
  "channels.web.ask.both": "Name and email",
  "channels.web.askWhen": "When to ask",
  "channels.web.askWhen.after": "After the first message; they may decline",
  "channels.web.askWhen.before": "Before the first message; they must answer",
  "channels.web.greeting": "Opening line",
  "channels.web.greeting.hint": "What the window says before anybody has written. 500 characters.",
  "channels.web.position": "Position",
  "channels.web.position.auto": "By language: right, in Arabic left",
  "channels.web.position.left": "Left",
  "channels.web.position.right": "Right",
  "channels.web.locale": "Language of the window",
  "channels.web.locale.auto": "As the page and the browser",
  "channels.web.locale.en": "English",
  "channels.web.locale.ar": "Arabic",
  "channels.web.files": "Largest file",
  "channels.web.files.default": "10 MB",
  "channels.web.save": "Save window",
  "channels.web.saved": "Saved. Open windows show it when their page is next loaded.",
  "channels.web.unsaved": "Not saved yet",
  "channels.web.preview": "Preview",
  "channels.web.preview.text": "The real window with these settings. Nothing is sent from here.",
  "channels.web.preview.language": "Preview language",
  "channels.web.preview.theme": "Preview theme",
  "channels.web.light": "Light",
  "channels.web.dark": "Dark",
  "channels.web.open": "Window open",
  "channels.web.sample": "Your page",
  "channels.web.embed": "On your site",
  "channels.web.snippet": "Script tag",
  "channels.web.snippet.text": "Paste it at the end of the body of each page that shows the chat.",
  "channels.web.try": "Open the try page",
  "channels.web.origins": "Pages that may show it",
  "channels.web.origins.save": "Save pages",
  "channels.web.secrets": "Secrets",
  "channels.web.identity.text":
    "Your server signs the ids of signed-in users with the identity secret. A new one ends the old one at once.",
  "channels.web.identity.new": "New identity secret",
  "channels.web.identity.ask": "Make a new identity secret?",
  "channels.web.identity.warn":
    "Proofs that were made with the old secret are refused from now on, until your server has the new one.",
  "channels.web.visitors.text":
    "A reset makes every browser a new visitor. Proven users find their conversation again.",
  "channels.web.visitors": "Reset visitors",
  "channels.web.visitors.ask": "Reset all visitors?",
  "channels.web.visitors.done": "Every browser is a new visitor from now on.",
} as const;
