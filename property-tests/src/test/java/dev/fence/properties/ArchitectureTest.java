package dev.fence.properties;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.fence.FenceException;
import org.jspecify.annotations.NullMarked;

/**
 * Arrows point towards core alone; a lease module knows no resource module, and the reverse. Modules that are not on the class
 * path yet are named already, so the rules wait for them.
 */
@AnalyzeClasses(
        packages = "dev.fence",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.DoNotIncludeTestJars.class})
class ArchitectureTest {

    /** Tests of another module, packed: its fake of a store. */
    static final class DoNotIncludeTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String[] CORE = {"dev.fence", "dev.fence.spi"};
    private static final String[] LEASE_MODULES = {"dev.fence.etcd.."};
    private static final String[] SHIPPED = {
        "dev.fence",
        "dev.fence.spi",
        "dev.fence.etcd..",
        "dev.fence.jdbc..",
        "dev.fence.s3..",
        "dev.fence.effects..",
        "dev.fence.reconcile..",
        "dev.fence.migrations.."
    };

    @ArchTest
    static final ArchRule coreKnowsTheJdkAndAnnotationsAndTheLoggingInterface = classes()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .onlyDependOnClassesThat(
                    resideInAnyPackage("dev.fence", "dev.fence.spi", "java..", "org.jspecify..", "org.slf4j"));

    @ArchTest
    static final ArchRule leaseModulesKnowOfFenceOnlyTheCore = knowOnlyTheCore(LEASE_MODULES);

    @ArchTest
    static final ArchRule jdbcKnowsOfFenceOnlyTheCore = knowOnlyTheCore("dev.fence.jdbc..");

    @ArchTest
    static final ArchRule objectStoresKnowOfFenceOnlyTheCore = knowOnlyTheCore("dev.fence.s3..");

    /** The journal is a resource in the database. */
    @ArchTest
    static final ArchRule effectsKnowOfFenceOnlyTheCoreAndJdbc = knowOnly(
            new String[] {"dev.fence.effects.."},
            new String[] {"dev.fence", "dev.fence.spi", "dev.fence.jdbc..", "dev.fence.effects.."});

    /** Only to read the journal, and to close effects. */
    @ArchTest
    static final ArchRule reconciliationKnowsOfFenceOnlyTheCoreAndEffects = knowOnly(
            new String[] {"dev.fence.reconcile.."},
            new String[] {"dev.fence", "dev.fence.effects..", "dev.fence.reconcile.."});

    @ArchTest
    static final ArchRule migrationsKnowNothingOfFence =
            knowOnly(new String[] {"dev.fence.migrations.."}, new String[] {"dev.fence.migrations.."});

    @ArchTest
    static final ArchRule nothingShippedKnowsTheFixtures = noClasses()
            .that()
            .resideInAnyPackage(SHIPPED)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.fence.fixtures..", "dev.fence.properties..");

    @ArchTest
    static final ArchRule nothingShippedLogsPastSlf4j = noClasses()
            .that()
            .resideInAnyPackage(SHIPPED)
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.logging..");

    /** Names of the spi in an application's way would have to stay for ever. */
    @ArchTest
    static final ArchRule whatApplicationsSeeHasNoSpiInIt = classes()
            .that()
            .resideInAnyPackage(SHIPPED)
            .and()
            .resideOutsideOfPackage("dev.fence.spi")
            .and()
            .arePublic()
            .should(havePublicMethodsWithoutSpi());

    @ArchTest
    static final ArchRule publicClassesAreNotForExtending = classes()
            .that()
            .resideInAnyPackage(SHIPPED)
            .and()
            .arePublic()
            .and()
            .areNotInterfaces()
            .and()
            .areNotAssignableFrom(FenceException.class) // abstract, sealed
            .should()
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule everyPackageIsNullMarked =
            classes().that().areTopLevelClasses().should(liveInANullMarkedPackage());

    @ArchTest
    static void theRulesSeeTheModulesThatAreThere(JavaClasses classes) {
        assertThat(classes)
                .extracting(JavaClass::getPackageName)
                .contains(
                        "dev.fence",
                        "dev.fence.spi",
                        "dev.fence.jdbc",
                        "dev.fence.etcd",
                        "dev.fence.s3",
                        "dev.fence.effects",
                        "dev.fence.reconcile",
                        "dev.fence.migrations",
                        "dev.fence.fixtures");
    }

    /** A rule that no code can break is worth nothing. */
    @ArchTest
    static void theRuleOnArrowsCanFail(JavaClasses classes) {
        JavaClasses ours = new ClassFileImporter().importPackages("dev.fence.properties");

        assertThat(knowOnlyTheCore("dev.fence.properties..").evaluate(ours).hasViolation())
                .isTrue();
    }

    private static ArchRule knowOnlyTheCore(String... module) {
        String[] permitted = new String[module.length + CORE.length];
        System.arraycopy(CORE, 0, permitted, 0, CORE.length);
        System.arraycopy(module, 0, permitted, CORE.length, module.length);
        return knowOnly(module, permitted);
    }

    private static ArchRule knowOnly(String[] module, String[] permitted) {
        DescribedPredicate<JavaClass> rest = resideInAnyPackage("dev.fence..").and(resideOutsideOfPackages(permitted));
        return noClasses()
                .that()
                .resideInAnyPackage(module)
                .should()
                .dependOnClassesThat(rest)
                .allowEmptyShould(true);
    }

    private static ArchCondition<JavaClass> havePublicMethodsWithoutSpi() {
        return new ArchCondition<>("have public methods without types of the spi") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getMethods().stream()
                        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(method -> method.getAllInvolvedRawTypes().stream()
                                .anyMatch(involved -> involved.getPackageName().equals("dev.fence.spi")))
                        .forEach(method -> events.add(SimpleConditionEvent.violated(method, method.getDescription())));
            }
        };
    }

    private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
        return new ArchCondition<>("live in a package that is @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                events.add(new SimpleConditionEvent(type, marked, type.getDescription()));
            }
        };
    }
}
