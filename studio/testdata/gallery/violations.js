// What the content security policy has refused.
globalThis.violations = [];
addEventListener("securitypolicyviolation", e => violations.push(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
