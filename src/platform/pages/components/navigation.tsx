import { Link, type Path } from './link';

interface NavItem {
  to: Path;
  label: string;
}

export interface NavGroup {
  title?: string;
  items: readonly NavItem[];
}

interface NavigationProps {
  /** What the links are about, to tell the lists of a page apart. */
  label: string;
  /** The `to` of the item that the page belongs to. */
  current?: Path;
}

/** The pages of an area, beside the page; on a phone, what a button with `popovertarget="navigation"` opens. */
export function NavList({ label, groups, current }: NavigationProps & { groups: readonly NavGroup[] }) {
  return (
    <nav aria-label={label} class="nav-list" id="navigation" popover="auto">
      {groups.map(({ title, items }) => (
        <>
          {title && <p class="nav-title">{title}</p>}
          <Links items={items} current={current} />
        </>
      ))}
    </nav>
  );
}

/** Views of the same thing, above it. */
export function Tabs({ label, items, current }: NavigationProps & { items: readonly NavItem[] }) {
  return (
    <nav aria-label={label} class="tabs">
      <Links items={items} current={current} />
    </nav>
  );
}

function Links({ items, current }: { items: readonly NavItem[]; current?: Path }) {
  return (
    <ul>
      {items.map((item) => (
        <li>
          <Link to={item.to} current={item.to === current}>
            {item.label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface PaginationProps {
  newer?: Path;
  older?: Path;
}

/** Through a list that begins with the newest. */
export function Pagination({ newer, older }: PaginationProps) {
  if (!newer && !older) return null;
  return (
    <nav aria-label="Pages" class="pagination">
      {newer && (
        <Link to={newer} rel="prev" class="button secondary">
          <span aria-hidden="true">← </span>Newer
        </Link>
      )}
      {older && (
        <Link to={older} rel="next" class="button secondary">
          Older<span aria-hidden="true"> →</span>
        </Link>
      )}
    </nav>
  );
}
