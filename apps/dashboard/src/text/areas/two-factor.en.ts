export const twoFactor = {
  "security.twoFactor": "Two-factor",
  "security.twoFactor.on": "On",
  "security.twoFactor.off": "Off",
  "security.twoFactor.text":
    "After the password, a code from an app on your phone is asked for. Your password alone then opens nothing.",
  "security.twoFactor.required": "Your workspace requires it for everybody.",
  "security.twoFactor.left":
    "{count, plural, =0 {No recovery code is left. Make new ones now.} one {# recovery code is left.} other {# recovery codes are left.}}",
  "security.twoFactor.switchOn": "Set up two-factor",
  "security.twoFactor.switchOff": "Switch off",
  "security.twoFactor.switchOff.title": "Switch two-factor off?",
  "security.twoFactor.switchOff.text":
    "From then on your password alone opens your account. Your recovery codes stop working. To confirm, enter the code that your app shows now, or one of your recovery codes.",
  "security.twoFactor.switchOff.code": "Code or recovery code",
  "security.twoFactor.switchOff.required":
    "Your workspace requires two-factor: you will be asked to set it up again at once.",
  "security.twoFactor.renew": "New recovery codes",
  "security.twoFactor.renew.title": "Make new recovery codes?",
  "security.twoFactor.renew.text": "The codes that you have stop working.",
  "security.twoFactor.scan":
    "Scan this picture with an authenticator app, for example Google Authenticator, 1Password or Aegis.",
  "security.twoFactor.picture": "QR code for the authenticator app",
  "security.twoFactor.secret": "Or type this key into the app",
  "security.twoFactor.first": "Then type the code that the app shows",
  "security.twoFactor.finish": "Switch on",
  "security.twoFactor.isOn": "Two-factor is on. Your other sessions were signed out.",
  "security.codes": "Recovery codes",
  "security.codes.text":
    "Keep them where you keep passwords, not on the phone with the app. Each opens your account once if the phone is lost. They are shown only now.",
  "security.codes.copy": "Copy",
  "security.codes.copied": "Copied",
  "security.codes.download": "Download",
  "security.codes.kept": "I have kept them",
  "security.codes.file": "Recovery codes of Parley for {email}. Each works once.",
  "security.setUp.title": "Set up two-factor",
  "security.setUp.text":
    "Your workspace requires a code at every sign-in. Set it up once; everything else opens afterwards.",
  "security.unknownBrowser": "Unknown browser",
  "security.comma": ", ",
} as const;
