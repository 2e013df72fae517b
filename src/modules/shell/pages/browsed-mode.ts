import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { WorkspaceId } from '../../../kernel/ids';
import { type Mode, MODES } from '../../../kernel/principal';
import { Cookies } from '../../../platform/pages/cookies';

const COOKIE = 'gala-mode';
const ONE_YEAR_SECONDS = 31_536_000;

type Check = (workspaceId: WorkspaceId) => Promise<boolean>;

/**
 * The mode that a visitor was in last, to which links lead from pages that have none, such as members. Until there is one, it is
 * test mode in a workspace without live data.
 */
@Injectable()
export class BrowsedMode {
  private readonly checks: Check[] = [];

  constructor(private readonly cookies: Cookies) {}

  /** A module adds how it tells whether a workspace has live data. */
  knowLiveDataBy(check: Check): void {
    this.checks.push(check);
  }

  remember(request: Request, response: Response, mode: Mode): void {
    if (this.cookies.get(request, COOKIE) === mode) return;
    this.cookies.write(response, { name: COOKIE, value: mode, maxAgeSeconds: ONE_YEAR_SECONDS });
  }

  async last(request: Request, workspaceId: WorkspaceId): Promise<Mode> {
    const kept = this.cookies.get(request, COOKIE);
    const known = MODES.find((mode) => mode === kept);
    if (known) return known;
    for (const hasLiveData of this.checks) if (await hasLiveData(workspaceId)) return 'live';
    return 'test';
  }
}
