export const security = {
  "security.prove": "Confirm that it is you",
  "security.prove.text":
    "This needs your password again, because you gave it more than 10 minutes ago. Afterwards you go on where you were.",
  "security.prove.go": "Confirm",
  "security.prove.wrong": "This is not your password.",
  "security.prove.given": "Nothing was changed, because the password was not given.",
  "security.code.title": "Two-factor code",
  "security.code": "Code",
  "security.code.text": "Type the six digits that your authenticator app shows for Parley.",
  "security.code.wrong":
    "This code is wrong, or it was used already. Wait for the next one in the app.",
  "security.code.over":
    "This sign-in has ended: the password was given too long ago, or five codes were wrong. Sign in again.",
  "security.verify": "Verify",
  "security.useRecovery": "Use a recovery code",
  "security.useApp": "Use the app instead",
  "security.again": "Sign in again",
  "security.recoveryCode": "Recovery code",
  "security.recoveryCode.text":
    "Type one of the codes that you saved when you turned two-factor on. Each works once.",
  "security.recoveryCode.wrong": "This recovery code is wrong, or it was used already.",
  "security.forgot.text":
    "Type your address. If it has an account here, a link to choose a new password comes by mail.",
  "security.forgot.send": "Send reset link",
  "security.forgot.sent":
    "If {email} has an account here, a link is on its way. It works once, for one hour. Check the spam folder, too.",
  "profile.away": "Away",
} as const;
