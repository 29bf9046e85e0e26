import type { ReactNode } from "react";
import { Page, Part } from "../kit/page.tsx";

/** One page of the settings. */
export function SettingsPage({
  title,
  lead,
  back,
  actions,
  children,
}: {
  readonly title: string;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  readonly back?: { readonly href: string; readonly name: string };
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Page
      title={title}
      {...(lead !== undefined && { lead })}
      {...(back && { back })}
      {...(actions !== undefined && { actions })}
    >
      {children}
    </Page>
  );
}

/** One subject of a page. */
export const SettingsPart = Part;
