#include "CBluebonnetXML.h"
#include "Session.h"

#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libxml2 recurses for each bracket of an expression.
enum { LongestExpression = 16384 };

static void fail(BluebonnetXMLError *error, int64_t offset, const char *message) {
    if (error->message[0] != '\0') {
        return;
    }
    error->byteOffset = offset;
    snprintf(error->message, sizeof error->message, "%s", message);
}

// libxml2 reports XPath errors without a message.
static const char *message_of(int code) {
    switch (code) {
    case XML_XPATH_UNDEF_PREFIX_ERROR:
        return "A prefix is not defined in the namespaces of the query";
    case XML_XPATH_UNKNOWN_FUNC_ERROR:
        return "A function is unknown";
    case XML_XPATH_UNDEF_VARIABLE_ERROR:
        return "A variable is unknown";
    case XML_XPATH_INVALID_ARITY:
        return "A function has too few or too many arguments";
    case XML_XPATH_INVALID_TYPE:
        return "A value has the wrong type";
    case XML_XPATH_MEMORY_ERROR:
        return "Out of memory";
    // libxml2 has no error codes with names for these two.
    case XML_XPATH_EXPRESSION_OK + XPATH_OP_LIMIT_EXCEEDED:
        return "The evaluation takes too many steps";
    case XML_XPATH_EXPRESSION_OK + XPATH_RECURSION_LIMIT_EXCEEDED:
        return "The expression is nested too deeply";
    default:
        return "The expression is not well-formed";
    }
}

static void handle_error(void *error, ErrorPointer found) {
    fail(error, found->str1 == NULL ? -1 : found->int1, message_of(found->code));
}

// libxml2 prints some errors instead of reporting them.
static void keep_silent(void *context, const char *format, ...) {
    (void)context, (void)format;
}

static bool is_node_set(const xmlXPathObject *object) {
    return object->type == XPATH_NODESET;
}

static xmlXPathObjectPtr evaluate(
    xmlXPathContextPtr context, const char *expression, BluebonnetXMLError *error
) {
    xmlGenericErrorFunc previous = xmlGenericError;
    void *previousContext = xmlGenericErrorContext;
    xmlSetGenericErrorFunc(NULL, keep_silent);
    xmlXPathObjectPtr object = xmlXPathEval((const xmlChar *)expression, context);
    xmlSetGenericErrorFunc(previousContext, previous);
    if (object == NULL || error->message[0] != '\0') {
        fail(error, -1, "The expression could not be evaluated");
        xmlXPathFreeObject(object);
        return NULL;
    }
    return object;
}

BluebonnetXMLQuery *bluebonnet_xml_query(
    const BluebonnetXMLDocument *document, const BluebonnetXMLNode *node, const char *expression,
    const BluebonnetXMLNamespace *namespaces, int namespaceCount, unsigned long maximumOperations,
    BluebonnetXMLError *error
) {
    memset(error, 0, sizeof *error);
    if (strlen(expression) > LongestExpression) {
        fail(error, LongestExpression, "The expression is too long");
        return NULL;
    }
    // The document and the node are not changed: the context only stores them.
    xmlDoc *mutableDocument = (xmlDoc *)(uintptr_t)document;
    xmlXPathContextPtr context = xmlXPathNewContext(mutableDocument);
    if (context == NULL) {
        fail(error, -1, "Out of memory");
        return NULL;
    }
    context->error = (xmlStructuredErrorFunc)handle_error;
    context->userData = error;
    // The comparisons for merging sets of nodes do not count as operations.
    context->opLimit = maximumOperations;
    context->node = node == NULL ? (xmlNode *)mutableDocument : (xmlNode *)(uintptr_t)node;
    for (int index = 0; index < namespaceCount; index++) {
        const BluebonnetXMLNamespace *namespace = &namespaces[index];
        if (xmlXPathRegisterNs(
                context, (const xmlChar *)namespace->prefix, (const xmlChar *)namespace->uri
            ) != 0) {
            fail(error, -1, "A namespace of the query has no prefix, or memory ran out");
            xmlXPathFreeContext(context);
            return NULL;
        }
    }
    xmlXPathObjectPtr object = evaluate(context, expression, error);
    xmlXPathFreeContext(context);
    return (BluebonnetXMLQuery *)object;
}

static const xmlXPathObject *object_of(const BluebonnetXMLQuery *query) {
    return (const xmlXPathObject *)query;
}

void bluebonnet_xml_query_free(BluebonnetXMLQuery *query) {
    xmlXPathFreeObject((xmlXPathObjectPtr)query);
}

int bluebonnet_xml_query_count(const BluebonnetXMLQuery *query) {
    const xmlXPathObject *object = object_of(query);
    if (!is_node_set(object)) {
        return -1;
    }
    return object->nodesetval == NULL ? 0 : object->nodesetval->nodeNr;
}

const BluebonnetXMLNode *bluebonnet_xml_query_element(const BluebonnetXMLQuery *query, int index) {
    const xmlNode *node = object_of(query)->nodesetval->nodeTab[index];
    return node->type == XML_ELEMENT_NODE ? (const BluebonnetXMLNode *)node : NULL;
}

char *bluebonnet_xml_query_string(const BluebonnetXMLQuery *query, int index) {
    const xmlXPathObject *object = object_of(query);
    // Copied to memory of malloc, since the process can have set another allocator for libxml2.
    xmlChar *string = is_node_set(object)
        ? xmlXPathCastNodeToString(object->nodesetval->nodeTab[index])
        : xmlXPathCastToString((xmlXPathObjectPtr)(uintptr_t)object);
    if (string == NULL) {
        return NULL;
    }
    char *copy = strdup((const char *)string);
    xmlFree(string);
    return copy;
}
