import type { DraftFault } from "../channels/adapter.ts";

/** The fault of a draft's field in English: for the command line, and for callers without the page. */
export function faultWords({ rule, most = 0, least = 0, number = 0 }: DraftFault): string {
  switch (rule) {
    case "empty":
      return "must not be empty";
    case "long":
      return `must be at most ${most} characters`;
    case "name":
      return "must be of lower case letters, digits and underscores";
    case "language":
      return "must be a language code like en, en_US or ar";
    case "variable":
      return "has braces that are no variable: write {{1}}, {{2}} …";
    case "named_variable":
      return "has braces that are no variable: write {{first_name}}, in small letters and _";
    case "gap":
      return `must number its variables from {{1}} without gaps: {{${number}}} is missing`;
    case "edge":
      return "must neither begin nor end with a variable";
    case "adjacent":
      return "must have words between two variables";
    case "ratio":
      return `has too few words for its variables: at least ${least} are needed`;
    case "example":
      return "needs an example of the variable";
    case "one_variable":
      return "can have one variable, {{1}}";
    case "one_name":
      return "can have one variable";
    case "no_variable":
      return "cannot have a variable";
    case "plain":
      return "cannot have line breaks, emoji or the marks * _ ~ `";
    case "lines":
      return "cannot have tabs, more than two line breaks or more than four spaces in a row";
    case "file":
      return "needs a file as its example";
    case "url":
      return "must be an address that begins with https:// or http://";
    case "url_variable":
      return "can have one variable, {{1}}, at its end";
    case "phone":
      return "must be a phone number with its country code, like +96550001234";
    case "many":
      return `must be at most ${most}`;
    case "same":
      return "must differ from the texts of the other buttons";
    case "mixed":
      return "must have its quick replies next to each other";
  }
}
