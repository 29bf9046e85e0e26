import type { Form } from "./form.ts";

/** Unsaved input: kept in this tab until it is saved, so that a reload or another page loses nothing. */

const nameOf = (memberId: string, id: string): string => `parley-campaign:${memberId}:${id}`;

/** A form with the version of the stored draft that it was filled from. */
interface Kept {
  readonly form: Form;
  readonly etag?: string | undefined;
}

export function unsavedForm(memberId: string, id: string): Kept | null {
  try {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(nameOf(memberId, id)) ?? "null");
    // Pages of an earlier version kept the form alone.
    return kept?.form ? kept : null;
  } catch {
    return null;
  }
}

export function keepForm(memberId: string, id: string, kept: Kept): void {
  try {
    sessionStorage.setItem(nameOf(memberId, id), JSON.stringify(kept));
  } catch {
    // A browser without room or storage keeps nothing; the page still works.
  }
}

export function forgetForm(memberId: string, id: string): void {
  sessionStorage.removeItem(nameOf(memberId, id));
}
