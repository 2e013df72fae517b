import { Injectable } from '@nestjs/common';
import type { Role } from '../../../kernel/role';

/** A page in the navigation of the settings area. */
export interface AddedPage {
  /** The heading above its link: `Sales`, `Integrations`, `Workspace`, or one of its own. Links without one come first. */
  readonly group?: string;
  readonly label: string;
  /** Its address below `/settings/:workspace/`; `:mode` in it stands for live or test. */
  readonly path: string;
  /** The least role that sees the link. Access to the page itself is decided by its `@SettingsPages`. */
  readonly least: Role;
  /** Orders the links of a group, lowest first. Links without a position follow in the order in which they were added. */
  readonly position?: number;
}

const LAST = Number.MAX_SAFE_INTEGER;

/** The navigation of the settings area. Each module adds its own pages when it is created. */
@Injectable()
export class SettingsNavigation {
  private readonly added: AddedPage[] = [];

  /** Throws when another page with the same path was added. */
  add(...pages: AddedPage[]): void {
    for (const page of pages) {
      const earlier = this.added.find(({ path }) => path === page.path);
      if (earlier) {
        throw new Error(
          `The settings page ${page.path} is added twice. Both ${nameOf(earlier)} and ${nameOf(page)} lead to it: ` +
            'give one of them another path.',
        );
      }
      this.added.push(page);
    }
  }

  /** In the order of their positions. */
  pages(): readonly AddedPage[] {
    return this.added.toSorted((one, other) => (one.position ?? LAST) - (other.position ?? LAST));
  }
}

function nameOf({ group, label }: AddedPage): string {
  return `"${group ? `${group}, ${label}` : label}"`;
}
