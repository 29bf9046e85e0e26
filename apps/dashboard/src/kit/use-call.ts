import { useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { t } from "../text/t.ts";

/** A call that a page makes on demand, and how the last one went. */
export interface AskedCall<Args extends readonly unknown[]> {
  readonly busy: boolean;
  readonly failed: ApiError | null;
  /** Makes the call, unless one is running. */
  start(...args: Args): void;
}

/** Makes calls one at a time and keeps their failure for the page to show. */
export function useCall<const Args extends readonly unknown[]>(
  run: (...args: Args) => Promise<void>,
): AskedCall<Args> {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<ApiError | null>(null);
  const make = async (args: Args): Promise<void> => {
    setBusy(true);
    setFailed(null);
    try {
      await run(...args);
    } catch (cause) {
      setFailed(cause instanceof ApiError ? cause : new ApiError({ code: "INTERNAL", cause }));
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    failed,
    start: (...args) => {
      if (!busy) void make(args);
    },
  };
}

/** The text for a failed call of these pages: what happened, and what to do. */
export function failureText(error: ApiError): string {
  switch (error.code) {
    case "INVALID_CREDENTIALS":
      return t("people.wrong");
    case "REAUTH_REQUIRED":
      return t("security.prove.given");
    case "SEAT_LIMIT_REACHED":
      return t("people.seats");
    case "LAST_OWNER":
      return t("people.lastOwner");
    case "CONTACT_OPTED_OUT":
      return t("kit.error.optedOut");
    case "CONSENT_HELD":
      return t("kit.error.consentHeld");
    case "NAME_TAKEN":
      return t("kit.error.nameTaken");
    case "CONFLICT":
      return t("people.isMember");
    case "VERSION_MISMATCH":
      return t("kit.error.changed");
    case "NO_CONNECTION":
      return t("kit.error.connection");
    case "RATE_LIMITED":
      return t("kit.error.rate");
    case "OVERLOADED":
      return t("kit.error.busy");
    case "UNSENT_FILES_FULL":
      return t("kit.error.unsentFull");
    case "STORAGE_FULL":
      return t("kit.error.storageFull");
    case "FORBIDDEN":
      return t("kit.error.forbidden");
    case "NOT_FOUND":
      return t("kit.error.notFound");
    case "VALIDATION_FAILED":
      return t("kit.error.validation");
    case "INTERNAL":
      return t("kit.error.internal");
    default:
      return t("kit.error.other", { code: error.code });
  }
}

/** The faults of a refused form, by the name of their field. */
export function faultsOf(error: ApiError | null): Record<string, string> {
  return Object.fromEntries(
    error?.details.map(({ path, message, code }) => [path, faultText(code) ?? message]) ?? [],
  );
}

/** The words for a fault of a chosen password. */
function faultText(code: string | undefined): string | undefined {
  if (code === "password.common") return t("people.password.common");
  return code === "password.address" ? t("people.password.address") : undefined;
}

/** The texts of a form, by the names of its fields. */
export function textsOf(form: HTMLFormElement): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") texts.set(name, value);
  return texts;
}
