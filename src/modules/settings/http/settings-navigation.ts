import { Injectable } from '@nestjs/common';
import type { Role } from '../../workspaces';

/** A page that another module adds to the settings area. */
export interface AddedPage {
  /** The heading that its link stands under: `Sales`, `Integrations`, `Workspace`, or one of its own. */
  readonly group: string;
  readonly label: string;
  /** Its address behind `/settings/:workspace/`; `:mode` in it stands for live or test. */
  readonly path: string;
  /** Who sees the link. What the page itself lets in is for its `@SettingsPages` to say. */
  readonly least: Role;
}

/** The way to the pages that other modules add. */
@Injectable()
export class SettingsNavigation {
  private readonly added: AddedPage[] = [];

  /** To be called when the module is made. */
  add(page: AddedPage): void {
    if (this.added.some(({ path }) => path === page.path)) {
      throw new Error(`The settings page ${page.path} is added twice.`);
    }
    this.added.push(page);
  }

  pages(): readonly AddedPage[] {
    return this.added;
  }
}
