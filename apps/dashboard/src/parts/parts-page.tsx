import { Link } from "react-aria-components";
import { Page } from "../kit/page.tsx";
import { locale } from "../text/locale.ts";
import { ButtonParts, ColorParts, IconParts } from "./basic-parts.tsx";
import { DialogParts } from "./dialog-parts.tsx";
import { FieldParts, FormParts } from "./field-parts.tsx";
import { FigureParts, StateParts, TabParts } from "./state-parts.tsx";
import { TableParts } from "./table-parts.tsx";
import { TextParts } from "./text-parts.tsx";
import { say } from "./say.ts";
import "./parts.css";

const VIEWS = [
  ["en", "light"],
  ["en", "dark"],
  ["ar", "light"],
  ["ar", "dark"],
] as const;

/** Every part of the kit in every state, one after the other. `parts.test.ts` finds a part that is not shown here. */
export function PartsPage() {
  return (
    <Page
      title={say("Parts", "القطع")}
      lead={say("What the pages are made of, in every state.", "ما تتألف منه الصفحات، في كل حالة.")}
      back={{ href: "/", name: say("Dashboard", "لوحة التحكم") }}
    >
      <nav className="parts-links" aria-label={say("Languages and themes", "اللغات والمظاهر")}>
        {VIEWS.map(([lang, theme]) => (
          <Link key={lang + theme} href={`?lang=${lang}&theme=${theme}`}>
            {lang === locale
              ? say(`This language, ${theme}`, `هذه اللغة، ${theme}`)
              : `${lang}, ${theme}`}
          </Link>
        ))}
      </nav>
      <ButtonParts />
      <FieldParts />
      <FormParts />
      <StateParts />
      <TabParts />
      <FigureParts />
      <TableParts />
      <DialogParts />
      <TextParts />
      <IconParts />
      <ColorParts />
    </Page>
  );
}
