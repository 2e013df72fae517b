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
import type { Path } from '../../../platform/pages/components/link';
import { Pages } from '../../../platform/pages/pages.decorator';
import { SessionGuard, signedInUser } from '../../accounts';
import { atLeast, Members, type Membership, type Role } from '../../workspaces';
import { type AddedPage, SettingsNavigation } from './settings-navigation';

const LEAST_ROLE = 'gala:settings-role';

/** Where in the settings area a page belongs, and who is looking at it. */
export interface Area extends Membership {
  readonly email: string;
  /** Which data the page shows; live for what has no mode, such as members. */
  readonly mode: Mode;
  /** What other modules add to the area for a visitor of this role. */
  readonly addedPages: readonly AddedPage[];
}

export function isAdmin({ role }: Pick<Area, 'role'>): boolean {
  return atLeast(role, 'admin');
}

export function refOf({ workspace, mode }: Area): WorkspaceRef {
  return { workspaceId: workspace.id, mode };
}

/** A page's address within the area: `settingsPath(area, 'members')`. */
export function settingsPath({ workspace }: { workspace: { id: WorkspaceId } }, page = ''): Path {
  return `/settings/${workspace.id}${page && `/${page}`}`;
}

/** Knows the workspace that the address names, if the visitor belongs to it: to anybody else it doesn't exist. */
@Injectable()
export class AreaGuard implements CanActivate {
  constructor(
    private readonly members: Members,
    private readonly navigation: SettingsNavigation,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { workspace, mode = 'live' } = request.params as { workspace: string; mode?: string };
    const user = signedInUser(request);
    const id = parseId('ws', workspace);
    const membership = id && (await this.members.membershipOf(id, user.id));
    if (!membership || !MODES.includes(mode as Mode)) throw new NotFound('page');
    const least = this.reflector.getAllAndOverride<Role>(LEAST_ROLE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!atLeast(membership.role, least)) {
      throw new Forbidden('Only owners and admins of this workspace may see this. Ask one of them.');
    }
    request.settingsArea = {
      ...membership,
      email: user.email,
      mode: mode as Mode,
      addedPages: this.navigation.pages().filter((page) => atLeast(membership.role, page.least)),
    } satisfies Area;
    return true;
  }
}

/** A controller of pages under /settings/:workspace, for members with at least that role. */
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
