export const security = {
  "security.prove": "Confirm that it is you",
  "security.prove.text":
    "This needs your password again, because you gave it more than 10 minutes ago. What you were doing goes on afterwards.",
  "security.prove.go": "Confirm",
  "security.prove.wrong": "This is not your password.",
  "security.prove.given": "Nothing was changed, because the password was not given.",
} as const;
