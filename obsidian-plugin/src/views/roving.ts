/**
 * One tab stop for a list of rows, arrows between them. A row carries `data-row`; Right and Left open and close it,
 * Home and End go to the ends, and Up on the first row gives the focus back to `above`.
 */

type Row = HTMLElement | SVGElement;

export interface Roving {
  /** The rows changed: the first one, or the one that has the focus, is the tab stop. */
  refresh: () => void;
  /** Put the focus on the first row; false when there is none. */
  enter: () => boolean;
}

export interface RowKeys {
  /** Asked with true for Right and false for Left. */
  expand?: (row: HTMLElement, open: boolean) => void;
  /** Left and Right go to the row before and after, as Up and Down do. */
  isAcross?: boolean;
  above?: () => void;
}

const ROW = "[data-row]";

export function roving(list: HTMLElement | SVGElement, keys: RowKeys = {}): Roving {
  const rows = (): Row[] => [...list.querySelectorAll<Row>(ROW)].filter((row) => row.getClientRects().length > 0);
  const focus = (row: Row | undefined): boolean => {
    if (!row) return false;
    for (const other of rows()) other.tabIndex = other === row ? 0 : -1;
    row.focus();
    row.scrollIntoView({ block: "nearest" });
    return true;
  };
  const current = (): Row | null => list.doc.activeElement?.closest<Row>(ROW) ?? null;
  const step = (by: number): boolean => {
    const all = rows();
    const at = all.findIndex((row) => row === current());
    if (at === 0 && by < 0 && keys.above) {
      keys.above();
      return true;
    }
    return focus(all[Math.min(all.length - 1, Math.max(0, at + by))]);
  };
  const sideways = (row: Row, right: boolean): boolean => {
    if (keys.isAcross) return step(right ? 1 : -1);
    if (!keys.expand || !row.instanceOf(HTMLElement)) return false;
    keys.expand(row, right);
    return true;
  };
  const act = (event: KeyboardEvent): boolean => {
    const row = current();
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return false;
    switch (event.key) {
      case "ArrowDown":
        return step(1);
      case "ArrowUp":
        return step(-1);
      case "Home":
        return focus(rows()[0]);
      case "End":
        return focus(rows().at(-1));
      case "ArrowRight":
      case "ArrowLeft":
        return sideways(row, event.key === "ArrowRight");
      default:
        return false;
    }
  };
  asHtml(list).addEventListener("keydown", (event) => {
    if (act(event)) event.preventDefault();
  });
  return {
    refresh: () => {
      const all = rows();
      const held = all.find((row) => row === current()) ?? all[0];
      for (const row of all) row.tabIndex = row === held ? 0 : -1;
    },
    enter: () => focus(rows()[0]),
  };
}

/** Click and Enter do the same. */
export function onActivate(row: Row, act: (event: MouseEvent | KeyboardEvent) => void): void {
  const target = asHtml(row);
  target.addEventListener("click", act);
  target.addEventListener("auxclick", (event) => {
    if (event.button === 1) act(event);
  });
  target.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== row) return;
    event.preventDefault();
    act(event);
  });
}

/** Elements of both kinds take the same events; only their types differ. */
function asHtml(element: Row): HTMLElement {
  return element as HTMLElement;
}
