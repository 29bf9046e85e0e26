import { ICONS } from "./icons.ts";

export type IconName = keyof typeof ICONS;

/** A line drawing of 18 pixels beside a text; screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      width="18"
      height="18"
      aria-hidden="true"
      // The bodies come from a package at build time, never from a person.
      dangerouslySetInnerHTML={{ __html: ICONS[name] }}
    />
  );
}
