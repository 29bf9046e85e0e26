import { useState } from "react";
import { Button } from "react-aria-components";
import { MATCHES, type Delimiter, type MatchBy } from "../../../server/src/wire/words.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { attributesQuery } from "../contacts/filter-bar.tsx";
import { Badge } from "../kit/badge.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, Tick } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { formatLocale } from "../text/locale.ts";
import { segmentChoicesQuery } from "../contacts/segment-choices.ts";
import { t } from "../text/t.ts";
import { COUNTRIES } from "./countries.ts";
import {
  columnName,
  fieldOptions,
  mappingFault,
  NEW_TYPES,
  newAttribute,
  type Look,
  type Mapping,
  type NewTypes,
} from "./fields.ts";

export interface Wish {
  readonly encoding?: Look["encoding"];
  readonly delimiter?: Delimiter;
  readonly country?: string | null;
  readonly match?: MatchBy;
  readonly allowOptIn?: boolean;
}

const ENCODINGS = [
  ["utf-8", "UTF-8"],
  ["windows-1256", "Windows-1256"],
  ["iso-8859-6", "ISO-8859-6"],
  ["windows-1252", "Windows-1252"],
  ["utf-16le", "UTF-16 LE"],
  ["utf-16be", "UTF-16 BE"],
] as const;
const NO_COUNTRY = "-";
const regions = new Intl.DisplayNames(formatLocale, { type: "region" });
/** A country in the page's language. */
export const countryName = (code: string): string => regions.of(code) ?? code;
const countries = COUNTRIES.map((code) => ({ value: code, name: countryName(code) })).toSorted(
  (a, b) => a.name.localeCompare(b.name, formatLocale),
);

/** The first step: what each column is, and how the file is read. */
export function MapColumns({
  look,
  attributes,
  map,
  setMap,
  wish,
  setWish,
  next,
}: {
  readonly look: Look;
  /** The workspace's, which columns can become. */
  readonly attributes: AnswerOf<"listSegmentChoices">["attributes"];
  readonly map: Mapping;
  readonly setMap: (map: Mapping) => void;
  readonly wish: Wish;
  /** With `anew`, the file is read as another text, so its columns may change. */
  readonly setWish: (wish: Wish, anew: boolean) => void;
  readonly next: () => void;
}) {
  const [types, setTypes] = useState<NewTypes>({});
  const fault = mappingFault(look.columns, map);
  const added = look.columns.flatMap(({ name, valueType }) => {
    const key = newAttribute(map[name] ?? "ignore", attributes);
    return key === null ? [] : [{ name, key, type: types[name] ?? valueType }];
  });
  // New attributes are defined before the rows are tried, which then reads their values as that type.
  const define = useCall(async () => {
    for (const { key, type } of added)
      await call("putContactAttribute", { params: { key }, body: { type } });
    if (added.length > 0)
      await Promise.all([
        queryClient.invalidateQueries(segmentChoicesQuery),
        queryClient.invalidateQueries(attributesQuery),
      ]);
    next();
  });
  return (
    <>
      <Part title={t("imports.step.columns")}>
        <p className="hint">{t("imports.columns.lead")}</p>
        <ul className="import-columns">
          {look.columns.map((column, index) => (
            <ColumnChoice
              // A file may have two columns of one name.
              // oxlint-disable-next-line react/no-array-index-key
              key={`${index} ${column.name}`}
              column={column}
              name={columnName(column, index)}
              rows={look.headRows}
              options={fieldOptions(column, attributes)}
              field={map[column.name] ?? "ignore"}
              change={(field) => setMap({ ...map, [column.name]: field })}
              type={added.find(({ name }) => name === column.name)?.type ?? null}
              setType={(type) => setTypes({ ...types, [column.name]: type })}
            />
          ))}
        </ul>
      </Part>
      <Reading look={look} wish={wish} setWish={setWish} />
      {fault !== null && (
        <p role="alert" className="failure">
          {fault}
        </p>
      )}
      <Failure of={define.failed} />
      <div className="import-buttons">
        <Button
          className="primary"
          isDisabled={fault !== null}
          isPending={define.busy}
          onPress={() => define.start()}
        >
          {t("imports.next")}
        </Button>
      </div>
    </>
  );
}

/** One column of the file: its first values, and the field that it is. */
function ColumnChoice({
  column,
  name,
  rows,
  options,
  field,
  change,
  type,
  setType,
}: {
  readonly column: Look["columns"][number];
  readonly name: string;
  /** How many rows were looked at. */
  readonly rows: number;
  readonly options: ReturnType<typeof fieldOptions>;
  readonly field: string;
  readonly change: (field: string) => void;
  /** The type of the new attribute that the column becomes; null: it becomes none. */
  readonly type: NewTypes[string] | null;
  readonly setType: (type: NewTypes[string]) => void;
}) {
  return (
    <li>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <p>
          {column.samples.map((sample, at) => (
            <span key={sample}>
              {at > 0 && " · "}
              <bdi>{sample}</bdi>
            </span>
          ))}
        </p>
      </div>
      <div className="import-column-field">
        <Choice label={name} hidden options={options} value={field} change={change} />
        {type !== null && (
          <Choice
            label={t("imports.newType")}
            hidden
            options={NEW_TYPES.map((one) => ({ value: one, name: t(`contacts.attribute.${one}`) }))}
            value={type}
            change={setType}
          />
        )}
      </div>
      <div className="import-column-facts">
        <Badge tone={column.by === "nothing" ? "plain" : "ok"}>
          {t(`imports.by.${column.by}`)}
        </Badge>
        <small>
          {t("imports.filled", {
            filled: count(column.filled),
            rows: count(rows),
          })}
        </small>
      </div>
    </li>
  );
}

/** How the file is read, and which contacts its rows change. */
function Reading({
  look,
  wish,
  setWish,
}: {
  readonly look: Look;
  readonly wish: Wish;
  readonly setWish: (wish: Wish, anew: boolean) => void;
}) {
  const country = wish.country === undefined ? look.country : wish.country;
  return (
    <Part title={t("imports.settings")}>
      <div className="import-settings">
        <div>
          <Choice
            label={t("imports.country")}
            options={[{ value: NO_COUNTRY, name: t("imports.country.none") }, ...countries]}
            value={country ?? NO_COUNTRY}
            change={(code) =>
              setWish({ ...wish, country: code === NO_COUNTRY ? null : code }, false)
            }
          />
          <p className="hint">{t("imports.country.hint")}</p>
        </div>
        <Choice
          label={t("imports.match")}
          options={MATCHES.map((value) => ({
            value,
            name: t(`imports.match.${value}`),
          }))}
          value={wish.match ?? "any"}
          change={(match) => setWish({ ...wish, match }, false)}
        />
        <div>
          <Choice
            label={t("imports.encoding")}
            options={ENCODINGS.map(([value, name]) => ({ value, name }))}
            value={look.encoding}
            change={(encoding) => setWish({ ...wish, encoding }, true)}
          />
          <p className="hint">{t("imports.encoding.hint")}</p>
        </div>
        <Choice
          label={t("imports.delimiter")}
          options={[
            { value: "", name: t("imports.delimiter.auto") },
            { value: ",", name: t("imports.delimiter.comma") },
            { value: ";", name: t("imports.delimiter.semicolon") },
            { value: "\t", name: t("imports.delimiter.tab") },
            { value: "|", name: t("imports.delimiter.pipe") },
          ]}
          value={wish.delimiter ?? ""}
          change={(delimiter) => {
            const { delimiter: _, ...rest } = wish;
            setWish(delimiter === "" ? rest : { ...rest, delimiter }, true);
          }}
        />
      </div>
      <Tick
        label={t("imports.optIn")}
        on={wish.allowOptIn ?? false}
        change={(allowOptIn) => setWish({ ...wish, allowOptIn }, false)}
      />
    </Part>
  );
}
