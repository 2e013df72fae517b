import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import { Public } from '../../../platform/access/access.decorators';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';

/** Describes the endpoints of the authorization server to clients (RFC 8414). */
@Controller('.well-known/oauth-authorization-server')
@Public()
@ApiExcludeController()
export class ServerMetadataController {
  private readonly publicUrl: URL;

  constructor(
    { publicUrl }: Configuration,
    private readonly scopes: ScopeRegistry,
  ) {
    this.publicUrl = publicUrl;
  }

  @Get()
  @Header('Cache-Control', 'public, max-age=3600')
  get(): object {
    const at = (path: string) => addressOf(this.publicUrl, path);
    const authentication = ['client_secret_basic', 'client_secret_post'];
    return {
      issuer: addressOf(this.publicUrl),
      authorization_endpoint: at('/oauth/authorize'),
      token_endpoint: at('/oauth/token'),
      revocation_endpoint: at('/oauth/revoke'),
      introspection_endpoint: at('/oauth/introspect'),
      scopes_supported: this.scopes.entries().map(([scope]) => scope),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: [...authentication, 'none'],
      revocation_endpoint_auth_methods_supported: [...authentication, 'none'],
      introspection_endpoint_auth_methods_supported: authentication,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: at('/docs'),
    };
  }
}
