import type { ReactNode } from "react";
import logo from "../kit/parley.svg";
import "./sign-in.css";

/** A page for people who are not signed in: one sheet in the middle. */
export function Entry({
  title,
  intro,
  children,
}: {
  readonly title: string;
  readonly intro?: string;
  readonly children: ReactNode;
}) {
  return (
    <main id="main" className="entry">
      <title>{`${title} · Parley`}</title>
      <img className="entry-logo" src={logo} alt="" width={40} height={40} />
      <h1>{title}</h1>
      {intro !== undefined && <p className="entry-intro">{intro}</p>}
      {children}
    </main>
  );
}
