"""A page's tree without what is no content: scripts, what is hidden, menus, banners, tracking pixels.

Only what is clearly chrome goes: an `aside` or a `footer` inside an article is part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vaultmem.sources.document.html_tree import Element

_NEVER = frozenset((
    "script", "style", "template", "link", "meta", "base", "title", "noscript", "svg", "canvas", "button", "select",
    "textarea", "object", "embed", "applet", "map", "datalist", "progress", "meter", "noembed", "noframes", "nav",
    "frameset", "frame", "dialog", "menuitem", "param", "rp",
))  # fmt: skip
_CHROME_ROLES = frozenset((
    "navigation", "banner", "contentinfo", "search", "menu", "menubar", "toolbar", "dialog", "alertdialog", "tablist",
    "complementary",
))  # fmt: skip
#: Roles that are chrome wherever they stand; the others only outside the article.
_ALWAYS_CHROME = _CHROME_ROLES - {"banner", "contentinfo", "complementary"}
_HIDDEN_CLASSES = frozenset((
    "visually-hidden", "visuallyhidden", "sr-only", "screen-reader-text", "screen-reader-only", "skip-link", "noprint",
    "mw-editsection", "mw-jump-link", "headerlink", "anchorjs-link", "edit-link", "copy-button", "copybtn",
))  # fmt: skip
_HIDING = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all)")
_BANNER = re.compile(
    r"(?:^|[\s_-])(?:cookies?|gdpr|consent|onetrust|cookiebot|cmp)[\w-]*"
    r"(?:banner|bar|notice|popup|consent|dialog|overlay|modal|message|law|info|wrapper|container|sdk)"
    r"|^(?:onetrust-consent-sdk|cookiebanner|cookie-?law|gdpr|consent|cookieconsent)$",
    re.IGNORECASE,
)
_CHROME_NAMES = frozenset((
    "breadcrumb", "breadcrumbs", "share-buttons", "social-share", "sharing-buttons", "share-bar", "sharedaddy",
    "addtoany", "newsletter-signup", "related-posts", "related-articles", "jp-relatedposts", "advertisement",
    "ad-slot", "adsbygoogle", "site-footer", "site-header", "site-nav", "site-navigation", "navbar", "nav-menu",
    "main-menu", "mega-menu", "topbar", "skip-to-content", "skiplinks", "pagination",
))  # fmt: skip
_ARTICLE = frozenset(("article", "main"))
_SECTIONING = frozenset(("blockquote", "section", "figure", "td", "li", "details"))
#: A page element that holds more than this share of the words is no chrome, whatever it is called.
_MOST = 0.6


def clean(root: Element) -> None:
    """Take out of the page, in place, what a reader does not see or does not read."""
    remove_unseen(root)
    has_article = any(_is_article(element) and len(element.words()) > 0 for element in root.elements())
    total = max(1, len(root.words()))
    _remove_chrome(root, has_article=has_article, total=total)


def remove_unseen(root: Element) -> None:
    """Take out of the page, in place, what shows nothing."""
    _remove(root, _is_unseen, max(1, len(root.words())))


def content_of(root: Element) -> Element:
    """The page's `main` where it holds at least half of the words, else the page."""
    mains = [e for e in root.elements() if e.name == "main" or e.get("role") == "main"]
    if len(mains) == 1 and 2 * len(mains[0].words()) >= len(root.words()):
        return mains[0]
    return root


def _is_article(element: Element) -> bool:
    return element.name in _ARTICLE or element.get("role") in ("main", "article")


def _remove(root: Element, unwanted: Callable[[Element], bool], total: int) -> None:
    """Take out every element that is unwanted, but never one that holds most of the page."""
    stack = [root]
    while stack:
        parent = stack.pop()
        parent.children = [
            child
            for child in parent.children
            if isinstance(child, str) or not unwanted(child) or _holds_most(child, total)
        ]
        stack += [child for child in parent.children if isinstance(child, Element)]


def _holds_most(element: Element, total: int) -> bool:
    """Scripts hold words too, and are none of the page's."""
    return element.name not in _NEVER and len(element.words()) > _MOST * total and element.name != "nav"


def _is_unseen(element: Element) -> bool:
    if element.name in _NEVER:
        return True
    if element.name == "input":
        return element.get("type").lower() != "checkbox"
    return bool(element.attributes) and element.name not in ("html", "body", "head") and _is_hidden(element)


def _is_hidden(element: Element) -> bool:
    if "hidden" in element.attributes and element.get("hidden").lower() != "until-found":
        return True
    if element.get("aria-hidden").lower() == "true" and not _is_math(element):
        return True
    return bool(_HIDING.search(element.get("style").lower())) or not element.classes().isdisjoint(_HIDDEN_CLASSES)


def _is_math(element: Element) -> bool:
    return element.name == "math" or any(inner.name == "math" for inner in element.elements())


def _remove_chrome(root: Element, *, has_article: bool, total: int) -> None:
    stack: list[tuple[Element, bool]] = [(root, False)]
    while stack:
        parent, inside = stack.pop()
        kept: list[Element | str] = []
        for child in parent.children:
            if isinstance(child, str):
                kept.append(child)
            elif not _is_chrome(child, inside=inside, has_article=has_article) or _holds_most(child, total):
                kept.append(child)
                stack.append((child, inside or _is_article(child) or child.name in _SECTIONING))
        parent.children = kept


def _is_chrome(element: Element, *, inside: bool, has_article: bool) -> bool:
    """`inside`: the element stands in an article, a quotation or a cell."""
    role = element.get("role").lower()
    if role in _ALWAYS_CHROME or (role in _CHROME_ROLES and not inside):
        return True
    names = {*element.classes(), element.get("id").lower()}
    if any(_BANNER.search(name) for name in names if name) or not names.isdisjoint(_CHROME_NAMES):
        return not any(_is_article(inner) for inner in element.elements())
    if inside:
        return False
    if element.name in ("footer", "aside"):
        return True
    if element.name == "header":
        return has_article and not any(inner.name == "h1" or _is_article(inner) for inner in element.elements())
    return False
