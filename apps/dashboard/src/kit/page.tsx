import type { ReactNode } from "react";
import { Link } from "react-aria-components";
import { Icon } from "./icon.tsx";
import "./page.css";

/** One page of the workspace: its title, its actions at the end of the first line, and its parts below. */
export function Page({
  title,
  sign,
  lead,
  back,
  actions,
  narrow = false,
  children,
}: {
  readonly title: string;
  /** Stands before the title, such as the face of a person. */
  readonly sign?: ReactNode;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  /** The page that this one belongs to. */
  readonly back?: { readonly href: string; readonly name: string };
  readonly actions?: ReactNode;
  /** For forms and texts. */
  readonly narrow?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <main id="main" className="page" data-narrow={narrow || undefined}>
      <title>{`${title} · Parley`}</title>
      {back && (
        <Link className="page-back" href={back.href}>
          <Icon name="chevron-left" />
          {back.name}
        </Link>
      )}
      <header className="page-head">
        {sign}
        <div className="page-title">
          <h1>
            <bdi>{title}</bdi>
          </h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </main>
  );
}

/** One subject of a page, on a sheet of its own. */
export function Part({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="part" aria-label={title}>
      <div className="part-head">
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Names and values, one pair a line. */
export function Facts({
  of: pairs,
}: {
  readonly of: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="facts">
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
