import { Button } from "react-aria-components";
import { Badge } from "../kit/badge.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { DataTable, type Column } from "../kit/table.tsx";
import { Phone } from "../kit/phone.tsx";
import { t } from "../text/t.ts";
import { columnName, type Look, type Mapping } from "./fields.ts";
import { countryName } from "./map-columns.tsx";
import { Refusals, refusalText } from "./refusals.tsx";

type Tried = NonNullable<Look["tried"]>;
type TriedRow = Tried["first"][number];

const ltr = (value: string | null) => <bdi dir="ltr">{value ?? ""}</bdi>;

const columns = (): readonly Column<TriedRow>[] => [
  { key: "line", name: t("imports.row.line"), cell: ({ line }) => count(line) },
  { key: "becomes", name: t("imports.row.becomes"), cell: (row) => <Becomes row={row} /> },
  {
    key: "name",
    name: t("imports.row.name"),
    cell: ({ name, record }) => <bdi>{name ?? record.join(" · ").slice(0, 80)}</bdi>,
  },
  {
    key: "phone",
    name: t("imports.row.phone"),
    cell: ({ phone }) => phone !== null && <Phone of={phone} />,
  },
  { key: "email", name: t("imports.row.email"), cell: ({ email }) => ltr(email) },
  { key: "tags", name: t("imports.row.tags"), cell: ({ tags }) => <bdi>{tags.join(", ")}</bdi> },
];
/** The second step: what an import would do, and its start. */
export function CheckRows({
  look,
  tried,
  map,
  busy,
  back,
  start,
}: {
  readonly look: Look;
  readonly tried: Tried;
  readonly map: Mapping;
  readonly busy: boolean;
  readonly back: () => void;
  readonly start: () => void;
}) {
  const { rows, refused, whole } = tried;
  const good = count(rows - refused);
  const sum = whole
    ? t("imports.check.sum", { rows, good, refused })
    : t("imports.check.part", { rows: count(rows), good, refused });
  const left = look.columns
    .map((column, index) => ({ column, name: columnName(column, index) }))
    .filter(({ column }) => (map[column.name] ?? "ignore") === "ignore");
  const mended = [
    tried.phonesCompleted > 0 &&
      t("imports.phonesCompleted", {
        count: tried.phonesCompleted,
        country: countryName(look.country ?? "KW"),
      }),
    tried.emailsLeftOut > 0 && t("imports.emailsLeftOut", { count: tried.emailsLeftOut }),
    tried.repeated > 0 && t("imports.repeated", { count: tried.repeated }),
    left.length > 0 &&
      t("imports.leftOut", { count: left.length, names: left.map(({ name }) => name).join(", ") }),
  ].filter((text) => text !== false);
  return (
    <>
      <Part title={t("imports.step.check")}>
        <p role="status" className="import-sum">
          {sum}
        </p>
        {tried.phonesWithoutCountry > 0 && (
          <p className="import-warning">
            {t("imports.withoutCountry", { count: tried.phonesWithoutCountry })}
          </p>
        )}
        {mended.length > 0 && (
          <ul className="import-mended" aria-label={t("imports.check.mended")}>
            {mended.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {tried.refusals.length > 0 && (
          <>
            <h3 className="import-heading">{t("imports.check.refused")}</h3>
            <Refusals of={tried.refusals} />
            <p className="hint">{t("imports.check.refusedHint")}</p>
          </>
        )}
      </Part>
      <Part title={t("imports.check.first")}>
        <DataTable
          name={t("imports.check.first")}
          columns={columns()}
          rows={tried.first}
          id={({ line }) => String(line)}
        />
      </Part>
      <div className="import-buttons">
        <Button onPress={back}>{t("kit.back")}</Button>
        <Button
          className="primary"
          isDisabled={rows === refused && whole}
          isPending={busy}
          onPress={start}
        >
          {t("imports.start")}
        </Button>
      </div>
    </>
  );
}

/** The outcome of a row: a new contact, a change of a known one, or a refusal with its reason. */
function Becomes({ row }: { readonly row: TriedRow }) {
  const { outcome, known, attribute, reason, phoneCompleted, emailLeftOut } = row;
  if (outcome === "refused") {
    const kind = row.kind ?? "other";
    const why = refusalText({ kind, rows: 1, attribute, reason: reason ?? "" });
    return (
      <span className="import-becomes" title={why}>
        <Badge tone="bad">{t(`imports.short.${kind}`)}</Badge>
      </span>
    );
  }
  const isSame = outcome !== "created" && known === null;
  return (
    <span className="import-becomes">
      <Badge tone={outcome === "created" ? "ok" : "info"}>
        {isSame ? t("imports.row.same") : t(`imports.row.${outcome}`)}
      </Badge>
      {known !== null && outcome !== "created" && <bdi>{known}</bdi>}
      {phoneCompleted && <small>{t("imports.row.completed")}</small>}
      {emailLeftOut && <small>{t("imports.row.emailLeftOut")}</small>}
    </span>
  );
}
