import type { ReactNode } from "react";

interface Titled {
  readonly title: string;
  readonly children: ReactNode;
}

/** One page of the settings. */
export function SettingsPage({ title, children }: Titled) {
  return (
    <main id="main" className="settings-page">
      <title>{`${title} · Parley`}</title>
      <h1>{title}</h1>
      {children}
    </main>
  );
}

/** One subject of a page. */
export function SettingsPart({ title, children }: Titled) {
  return (
    <section className="settings-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
