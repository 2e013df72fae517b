import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-oauth2';

const COOKIE = 'planner';

/** An app as its developers write it: with Passport's own OAuth 2.0 strategy, and a session in memory. */
export class PassportApp {
  /** Not 127.0.0.1, where the service is: cookies don't tell ports apart. */
  readonly baseUrl: string;
  readonly redirectUri: string;
  private readonly sessions = new Map<string, object>();

  private constructor(
    private readonly server: ReturnType<express.Express['listen']>,
    private readonly app: express.Express,
  ) {
    this.baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
    this.redirectUri = `${this.baseUrl}/callback`;
  }

  static async start(): Promise<PassportApp> {
    const app = express();
    app.get('/favicon.ico', (_request, response) => void response.status(204).end());
    const server = app.listen(0);
    await once(server, 'listening');
    return new PassportApp(server, app);
  }

  connectTo(service: string, { id, secret }: { id: string; secret: string }): void {
    const strategy = new Strategy(
      {
        authorizationURL: `${service}/oauth/authorize`,
        tokenURL: `${service}/oauth/token`,
        clientID: id,
        clientSecret: secret,
        callbackURL: this.redirectUri,
        scope: ['leads:read', 'leads:write'],
        state: true,
        pkce: true,
      },
      (
        accessToken: string,
        refreshToken: string,
        _profile: unknown,
        done: (error: null, user: object) => void,
      ) => done(null, { accessToken, refreshToken }),
    );
    const own = new passport.Passport();
    own.use('gala', strategy);
    this.app.use((request, response, next) => {
      const id = new RegExp(`${COOKIE}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1] ?? randomUUID();
      const session = this.sessions.get(id) ?? {};
      this.sessions.set(id, session);
      response.cookie(COOKIE, id, { httpOnly: true, sameSite: 'lax' });
      Object.assign(request, { session });
      next();
    });
    this.app.use(own.initialize());
    this.app.get('/connect', own.authenticate('gala', { session: false }));
    this.app.get(
      '/callback',
      own.authenticate('gala', { session: false, failureRedirect: '/refused' }),
      async (request: Request, response) => {
        const { accessToken } = request.user as { accessToken: string };
        const me = await fetch(`${service}/v1/me`, { headers: { Authorization: `Bearer ${accessToken}` } });
        response.send(`<h1>Connected</h1><pre>${JSON.stringify(await me.json())}</pre>`);
      },
    );
    this.app.get('/refused', (_request, response) => void response.send('<h1>Then not</h1>'));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
