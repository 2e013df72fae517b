const { loyalty, overrides } = require('gala-loyalty');

/** @type {import('gala').Composition} */
module.exports = { extensions: [loyalty], overrides };
