import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Forbidden, NotFound } from '../../../kernel/errors';
import { parseId, type WorkspaceId } from '../../../kernel/ids';
import { type Mode, MODES, type WorkspaceRef } from '../../../kernel/principal';
import { atLeast, type Role } from '../../../kernel/role';
import type { Path } from '../../../platform/pages/components/link';
import { Pages } from '../../../platform/pages/pages.decorator';
import { SessionGuard, signedInUser } from '../../accounts';
import { type Membership, Memberships } from '../application/memberships';
import { BrowsedMode } from './browsed-mode';
import { type AddedPage, SettingsNavigation } from './settings-navigation';

const LEAST_ROLE = 'gala:settings-role';

/** The workspace and mode that a page shows, and the visitor. */
export interface Area extends Membership {
  readonly email: string;
  /** `live` on pages without a mode, such as members. */
  readonly mode: Mode;
  /** The mode of the page or, where it has none, the one that the visitor was in last: links lead there. */
  readonly browsedMode: Mode;
  /** The pages that the navigation shows to this visitor. */
  readonly pages: readonly AddedPage[];
}

export function isAdmin({ role }: Pick<Area, 'role'>): boolean {
  return atLeast(role, 'admin');
}

export function refOf({ workspace, mode }: Area): WorkspaceRef {
  return { workspaceId: workspace.id, mode };
}

/** The address of a page in the area: `settingsPath(area, 'members')`. */
export function settingsPath({ workspace }: { workspace: { id: WorkspaceId } }, page = ''): Path {
  return `/settings/${workspace.id}${page && `/${page}`}`;
}

/** Finds the workspace in the address. Visitors who are not members get the 404 of a workspace that doesn't exist. */
@Injectable()
export class AreaGuard implements CanActivate {
  constructor(
    private readonly memberships: Memberships,
    private readonly navigation: SettingsNavigation,
    private readonly browsedMode: BrowsedMode,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { workspace, mode = 'live' } = request.params as { workspace: string; mode?: string };
    const hasMode = request.params.mode !== undefined;
    const user = signedInUser(request);
    const id = parseId('ws', workspace);
    const membership = id && (await this.memberships.membershipOf(id, user.id));
    if (!membership || !MODES.includes(mode as Mode)) throw new NotFound('page');
    const least = this.reflector.getAllAndOverride<Role>(LEAST_ROLE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!atLeast(membership.role, least)) {
      throw new Forbidden('Only owners and admins of this workspace can see this page.');
    }
    if (hasMode) this.browsedMode.remember(request, request.res!, mode as Mode);
    request.settingsArea = {
      ...membership,
      email: user.email,
      mode: mode as Mode,
      browsedMode: hasMode ? (mode as Mode) : await this.browsedMode.last(request, membership.workspace.id),
      pages: this.navigation.pages().filter((page) => atLeast(membership.role, page.least)),
    } satisfies Area;
    return true;
  }
}

/** For controllers of pages under /settings/:workspace. Members with a lesser role than `least` get a 403. */
export function SettingsPages(least: Role): ClassDecorator {
  return applyDecorators(
    SetMetadata(LEAST_ROLE, least),
    Pages({ visitor: [SessionGuard], permission: [AreaGuard] }),
  );
}

export const InArea = createParamDecorator(
  (_: unknown, context: ExecutionContext): Area =>
    context.switchToHttp().getRequest<Request>().settingsArea as Area,
);
