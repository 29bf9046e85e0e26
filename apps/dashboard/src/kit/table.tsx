import {
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { Link } from "react-aria-components";
import { t } from "../text/t.ts";
import { Icon } from "./icon.tsx";
import { useMore } from "./use-more.ts";
import "./table.css";

export interface Column<Row> {
  readonly key: string;
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** The server can sort by this column. */
  readonly sortable?: boolean;
  readonly numeric?: boolean;
  /** Holds buttons: its name is only for screen readers, and cards do not show it. */
  readonly action?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

/** Which rows are ticked. */
export interface Selecting<Row> {
  readonly selected: ReadonlySet<string>;
  /** Completes "Select NAME". */
  name(row: Row): string;
  change(selected: ReadonlySet<string>): void;
}

/**
 * A table of one page of rows, sorted and paged by the server. Its first column names the row and leads to it. The
 * heads stay in view while the rows scroll. On a phone each row is a card, unless `cards` is false; a card leaves out
 * the fields that are empty (`Nothing`).
 */
export function DataTable<Row>({
  name,
  columns,
  rows,
  id,
  href,
  sorting,
  sort,
  selecting,
  busy = false,
  cards = true,
}: {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly id: (row: Row) => string;
  readonly href?: (row: Row) => string;
  readonly sorting?: Sorting;
  readonly sort?: (sorting: Sorting) => void;
  readonly selecting?: Selecting<Row>;
  /** The rows are older than the latest request. */
  readonly busy?: boolean;
  readonly cards?: boolean;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const over = useOverflow(frame);
  useMore(frame);
  const ids = rows.map(id);
  const all = ids.length > 0 && ids.every((one) => selecting?.selected.has(one));
  return (
    <div
      ref={frame}
      className="data-table"
      data-busy={busy || undefined}
      data-cards={cards || undefined}
      data-over={over || undefined}
    >
      {/* Roles are written out, because a card's layout takes them from the elements. */}
      <table role="table" aria-label={name} aria-busy={busy}>
        <thead role="rowgroup">
          <tr role="row">
            {selecting && (
              <th role="columnheader" className="table-check">
                <label>
                  <input
                    type="checkbox"
                    checked={all}
                    onChange={({ currentTarget: { checked } }) =>
                      selecting.change(togglePage(selecting.selected, ids, checked))
                    }
                  />
                  {/* Seen above cards; above a column of boxes its place tells. */}
                  <span className="table-all">{t("kit.table.all")}</span>
                </label>
              </th>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.key} column={column} sorting={sorting} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr
              key={id(row)}
              role="row"
              data-selected={selecting?.selected.has(id(row)) || undefined}
              onClick={pressName}
            >
              {selecting && (
                <td role="cell" className="table-check">
                  <label>
                    <input
                      type="checkbox"
                      aria-label={t("kit.table.select", { name: selecting.name(row) })}
                      checked={selecting.selected.has(id(row))}
                      onChange={({ currentTarget: { checked } }) =>
                        selecting.change(togglePage(selecting.selected, [id(row)], checked))
                      }
                    />
                  </label>
                </td>
              )}
              <Cells row={row} columns={columns} href={href} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The whole row is pressed for its name, but for its other controls, and for a text that somebody marks. */
function pressName({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  if (!(target instanceof Element) || target.closest("a, button, label, summary, input")) return;
  if (getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>(":scope > th > :is(a, button)")?.click();
}

/** What a row shows: its name first, which leads to its page. */
function Cells<Row>({
  row,
  columns,
  href,
}: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly href: ((row: Row) => string) | undefined;
}) {
  return columns.map(({ key, name, cell, numeric, action }, index) =>
    index === 0 ? (
      <th key={key} role="rowheader" scope="row">
        {href ? <Link href={href(row)}>{cell(row)}</Link> : apart(cell(row))}
      </th>
    ) : (
      <td
        key={key}
        role="cell"
        data-name={action ? undefined : name}
        data-numeric={numeric || action || undefined}
      >
        {apart(cell(row))}
      </td>
    ),
  );
}

/**
 * A text keeps its own direction, whatever is beside it in a line: the name of the column on a phone, or words of
 * another language. `table.css` does the same for elements.
 */
const apart = (content: ReactNode): ReactNode =>
  typeof content === "string" && content !== "" ? <bdi>{content}</bdi> : content;

/** What a cell shows that has nothing to say. */
export const Nothing = () => <span className="table-nothing">–</span>;

/**
 * Whether a table is wider than its place. Only then is it a scroller of its own: within a scroller, its heads cannot
 * stay at the top of the page.
 */
function useOverflow(frame: RefObject<HTMLElement | null>): boolean {
  const [over, setOver] = useState(false);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const look = () => setOver(element.scrollWidth > element.clientWidth);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [frame]);
  return over;
}

function ColumnHead<Row>({
  column: { key, name, sortable, numeric, action },
  sorting,
  sort,
}: {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly sort: ((sorting: Sorting) => void) | undefined;
}) {
  if (!sortable || !sort)
    return (
      <th role="columnheader" scope="col" data-numeric={numeric || undefined}>
        {action ? <span className="visually-hidden">{name}</span> : name}
      </th>
    );
  const sorted = sorting?.by === key;
  return (
    <th
      role="columnheader"
      scope="col"
      data-numeric={numeric || undefined}
      aria-sort={sorted ? (sorting.descending ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        className="table-sort"
        onClick={() => sort({ by: key, descending: sorted ? !sorting.descending : false })}
      >
        {name}
        <Icon name="chevron-down" />
      </button>
    </th>
  );
}

function togglePage(
  selected: ReadonlySet<string>,
  ids: readonly string[],
  on: boolean,
): ReadonlySet<string> {
  const next = new Set(selected);
  for (const one of ids)
    if (on) next.add(one);
    else next.delete(one);
  return next;
}
