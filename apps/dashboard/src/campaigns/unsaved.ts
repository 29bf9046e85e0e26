import type { Form } from "./form.ts";

/** Unsaved input: kept in this tab until it is saved, so that a reload or another page loses nothing. */

const nameOf = (memberId: string, id: string): string => `parley-campaign:${memberId}:${id}`;

export function unsavedForm(memberId: string, id: string): Form | null {
  try {
    const kept: Form | null = JSON.parse(sessionStorage.getItem(nameOf(memberId, id)) ?? "null");
    return kept;
  } catch {
    return null;
  }
}

export function keepForm(memberId: string, id: string, form: Form): void {
  try {
    sessionStorage.setItem(nameOf(memberId, id), JSON.stringify(form));
  } catch {
    // A browser without room or storage keeps nothing; the page still works.
  }
}

export function forgetForm(memberId: string, id: string): void {
  sessionStorage.removeItem(nameOf(memberId, id));
}
