export const kit = {
  "kit.cancel": "Cancel",
  "kit.close": "Close",
  "kit.retry": "Try again",
  "kit.loading": "Loading",
  "kit.requestId": "Request {id}",
  "kit.dismiss": "Dismiss",
  "kit.notifications": "Messages of the page",
  "kit.error": "This did not work",
  "kit.error.connection":
    "The server did not answer. Nothing is lost; try again when the connection is back.",
  "kit.error.busy": "The server is busy. Nothing is lost; try again in a moment.",
  "kit.error.internal": "Something went wrong on the server. Nothing was changed; try again.",
  "kit.error.forbidden":
    "Your role does not allow this. An admin of the workspace can change that.",
  "kit.error.notFound": "This no longer exists. It may have been deleted meanwhile.",
  "kit.error.rate": "Too many tries. Wait a moment, then try again.",
  "kit.error.validation": "Some fields need a correction.",
  "kit.error.other": "The server refused this ({code}).",
  "kit.empty": "Nothing here",
  "kit.window.open": "Reply window open",
  "kit.window.soon": "Reply window closes soon",
  "kit.window.closed": "Reply window closed",
} as const;
